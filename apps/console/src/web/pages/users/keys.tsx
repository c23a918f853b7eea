import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import { type Change, useChange } from '../../api/change.ts';
import { useList } from '../../api/list.ts';
import type { AccountKey, User } from '../../api/objects.ts';
import type { ApiError } from '../../api/request.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Fault, unplaced } from '../../ui/fault.tsx';
import { KeyReveal } from '../../ui/key-reveal.tsx';
import { type Dialog, Layer } from '../../ui/layer.tsx';
import { Named } from '../../ui/named.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Time } from '../../ui/time.tsx';

/** The keys of one account, in a dialog: what each ends in, since when, and the ways to make, rotate and revoke one. */
export function KeysOf({ user, ...dialog }: { user: User } & Dialog) {
  const [secret, setSecret] = useState<string | null>(null);
  const creation = useChange<{ key: string }>();
  return (
    <>
      <Layer {...dialog} isBusy={creation.isUnderWay} title={`Keys of ${user.username}`} size="xl">
        <Keys user={user} creation={creation} show={setSecret} />
      </Layer>
      {/* After the dialog, and so above it. */}
      <KeyReveal of={user.username} secret={secret} close={() => setSecret(null)} />
    </>
  );
}

interface KeysProps {
  readonly user: User;
  /** Kept where the dialog is: a key that is being made must not be lost with what is in it. */
  readonly creation: UseMutationResult<{ key: string }, ApiError, Change>;
  readonly show: (key: string) => void;
}

function Keys({ user, creation: { mutate, isPending, error }, show }: KeysProps) {
  const path = `/api/users/${user.id}/keys`;
  const keys = useList<AccountKey>(path, 'keys');
  const [label, setLabel] = useState('');
  return (
    <Stack>
      <DataTable
        label={`Keys of ${user.username}`}
        list={keys}
        rowKey={({ id }) => id}
        empty={<Text size="sm">This account has no key.</Text>}
        columns={[
          // The decision log names a key by its identifier, whose end is its own.
          { title: 'Label', cell: ({ label: name, id }) => <Named name={name} slug={`id …${id.slice(-12)}`} /> },
          { title: 'Key', cell: ({ lastFour }) => <Code style={{ whiteSpace: 'nowrap' }}>gwk_…{lastFour}</Code> },
          { title: 'Created (UTC)', cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            title: 'State',
            cell: ({ revokedAt }) => <Outcome of={revokedAt === null ? 'in force' : 'revoked'} />,
          },
          {
            title: 'Actions',
            align: 'actions',
            cell: (key) =>
              key.revokedAt === null && (
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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate(
            { method: 'POST', path, body: { label }, done: `Key ${label} created.` },
            { onSuccess: ({ key }) => (show(key), setLabel('')) },
          );
        }}
      >
        <Group align="flex-end">
          <TextInput
            label="Label of a further key"
            placeholder="laptop"
            required
            value={label}
            error={error?.fields['label']}
            onChange={(event) => setLabel(event.currentTarget.value)}
            style={{ flex: 1 }}
          />
          <Button type="submit" loading={isPending}>
            Create
          </Button>
        </Group>
      </form>
      <Fault error={unplaced(error, ['label'])} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          A key that may have been seen is best replaced at once.
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
