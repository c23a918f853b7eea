import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { type Changing, useChange } from '../../api/change.ts';
import { useList } from '../../api/list.ts';
import type { AccountKey, User } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { KeyReveal } from '../../ui/copy.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Fault, withoutFields } from '../../ui/fault.tsx';
import { type Dialog, Layer } from '../../ui/layer.tsx';
import { Named } from '../../ui/named.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { expiryAfter, Lifetime, NEVER, stateOfKey, Time } from '../../ui/time.tsx';
import { ValidatedForm } from '../../ui/validated-form.tsx';

/** When a key was last used. */
function LastUse({ at }: { at: string | null }) {
  if (at !== null) return <Time at={at} />;
  return (
    <Text size="xs" c="dimmed" title="No relayed call, and not among the last 10,000 decisions on this account">
      not yet
    </Text>
  );
}

/** The keys of one account, in a dialog: what each ends in, until when, and the ways to make, rotate and revoke one. */
export function KeysOf({ user, ...dialog }: { user: User } & Dialog) {
  const [secret, setSecret] = useState<string | null>(null);
  const creation = useChange<{ key: string }>();
  return (
    <>
      <Layer {...dialog} isBusy={creation.isUnderWay} title={`Keys of ${user.username}`} size={1000}>
        <Keys user={user} creation={creation} show={setSecret} />
      </Layer>
      {/* After the dialog, and so above it. */}
      <KeyReveal of={user.username} secret={secret} close={() => setSecret(null)} />
    </>
  );
}

interface KeysProps {
  readonly user: User;
  /** State of the dialog's parent: a key that is being made must not be lost with its form. */
  readonly creation: Changing<{ key: string }>;
  readonly show: (key: string) => void;
}

function Keys({ user, creation: { mutate, isPending, error }, show }: KeysProps) {
  const path = `/api/users/${user.id}/keys`;
  const keys = useList<AccountKey>(path, 'keys');
  const form = useForm<{ label: string; lifetime: string | null }>({
    initialValues: { label: '', lifetime: NEVER },
  });
  return (
    <Stack>
      <DataTable
        label={`Keys of ${user.username}`}
        list={keys}
        usual="-createdAt"
        rowKey={({ id }) => id}
        minWidth={860}
        empty={<Text size="sm">This account has no key.</Text>}
        columns={[
          // The decision log names a key by its identifier, whose end is its own.
          {
            title: 'Label',
            sort: 'label',
            cell: ({ label: name, id }) => <Named name={name} slug={`id …${id.slice(-12)}`} />,
          },
          { title: 'Key', cell: ({ lastFour }) => <Code style={{ whiteSpace: 'nowrap' }}>gwk_…{lastFour}</Code> },
          { title: 'State', sort: 'revokedAt', cell: (key) => <Outcome of={stateOfKey(key)} /> },
          { title: 'Created (UTC)', sort: 'createdAt', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'Expires (UTC)',
            sort: 'expiresAt',
            cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />),
          },
          { title: 'Last used (UTC)', sort: 'lastUsedAt', cell: ({ lastUsedAt }) => <LastUse at={lastUsedAt} /> },
          {
            title: 'Actions',
            align: 'actions',
            cell: (key) =>
              stateOfKey(key) !== 'revoked' && (
                <Confirm
                  label="Revoke"
                  title={`Revoke key ${key.label}`}
                  consequence="It is refused from the next call on. A revoked key cannot be brought back."
                  change={() => ({
                    method: 'POST',
                    path: `${path}/${key.id}/revoke`,
                    body: {},
                    done: `Key ${key.label} revoked.`,
                  })}
                />
              ),
          },
        ]}
      />
      <ValidatedForm
        form={form}
        error={error}
        submit={({ label, lifetime }) =>
          mutate(
            { method: 'POST', path, body: { label, expiresAt: expiryAfter(lifetime) }, done: `Key ${label} created.` },
            {
              onSuccess: ({ key }) => (show(key), form.setFieldValue('label', '')),
              onError: ({ fields }) => form.setErrors(fields),
            },
          )
        }
      >
        <Group align="flex-start">
          <TextInput
            label="Label of a further key"
            placeholder="laptop"
            required
            style={{ flex: '1 1 180px' }}
            {...form.getInputProps('label')}
          />
          <Lifetime {...form.getInputProps('lifetime')} />
          <Button type="submit" loading={isPending} mt={25}>
            Create
          </Button>
        </Group>
      </ValidatedForm>
      <Fault error={withoutFields(error, ['label'], form.errors)} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Replace a key immediately if somebody may have seen it.
        </Text>
        <Confirm<{ key: string }>
          size="sm"
          variant="default"
          color="red.9"
          label="Rotate"
          title={`Rotate the keys of ${user.username}`}
          consequence="The account gets one new key, shown once, and every other key of it is refused from the next call on."
          change={() => ({ method: 'POST', path: `/api/users/${user.id}/rotate-key`, body: {} })}
          onDone={({ key }) => show(key)}
        />
      </Group>
    </Stack>
  );
}
