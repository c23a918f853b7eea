import { Alert, Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { PolicyRevision } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Fault } from '../../ui/fault.tsx';
import { Section } from '../../ui/section.tsx';
import { useDraft } from '../../ui/use-draft.ts';
import { Difference } from './difference.tsx';
import { Superseded } from './superseded.tsx';
import { type PlacedFault, TextEditor } from './text-editor.tsx';

const EXAMPLE = `// Contractors call no endpoint but "chat".
forbid (
  principal,
  action == Action::"inference:appeler",
  resource
) unless { resource == Endpoint::"chat" };
`;

/** What is written for the next revision, and the revision it began from. */
interface Draft {
  readonly text: string;
  readonly since: number;
}

/** The Cedar policy set that narrows the role matrix: edited, checked, compared with the revision in force, installed. */
export function AuthorizationPolicy() {
  const inForce = useRead<{ policy: PolicyRevision | null }>('/api/policies/in-force');
  const current = inForce.data?.policy ?? null;
  const [draft, setDraft] = useDraft<Draft>('authorization policy');
  const [checked, setChecked] = useState<{ text: string; faults: readonly PlacedFault[] } | null>(null);
  const text = draft?.text ?? current?.cedar ?? '';
  const write = (next: string) => setDraft({ text: next, since: draft?.since ?? current?.revision ?? 0 });
  // What could not be read is not taken for empty, where it is one's right to read it.
  const isWritable = inForce.data !== undefined || inForce.error?.status === 403 || draft !== null;
  // Where it may not be read, there may be something to lift.
  const mayRestrict = inForce.error?.status === 403 || (current !== null && current.cedar.trim() !== '');
  const fresh = checked?.text === text ? checked : null;
  const check = useChange<{ faults: readonly PlacedFault[] }>();
  const install = useChange<{ revision: number }>();
  return (
    <Section
      title="Authorization policy"
      about="Narrows what the roles permit, never widens it: a Cedar policy set that holds only forbid. It holds from the next call on."
      actions={
        inForce.isSuccess && (
          <Badge variant="light" color={current === null || current.cedar === '' ? 'gray' : 'indigo'}>
            {current === null
              ? 'none installed'
              : current.cedar === ''
                ? `revision ${current.revision}: empty`
                : `revision ${current.revision} in force`}
          </Badge>
        )
      }
    >
      <Stack gap="sm">
        {inForce.error?.status === 403 ? (
          <Text size="sm" c="dimmed">
            Reading the policy in force is the auditor's right. You can write and install one: what you install takes
            the place of the whole of it.
          </Text>
        ) : (
          <Fault
            error={inForce.error}
            retry={inForce.refetch}
            {...(inForce.data === undefined ? {} : { since: inForce.dataUpdatedAt })}
          />
        )}
        {inForce.isPending && (
          <Skeleton height="21em" role="status" aria-busy="true" aria-label="Authorization policy: loading" />
        )}
        {isWritable && (
          <TextEditor label="Cedar policy set" value={text} onChange={write} faults={fresh?.faults ?? []} />
        )}
        {text === '' && isWritable && (
          <Group>
            <Button size="xs" variant="default" onClick={() => write(EXAMPLE)}>
              Begin with an example
            </Button>
          </Group>
        )}
        {fresh !== null && fresh.faults.length === 0 && (
          <>
            <Alert color="teal" variant="light">
              {inForce.isSuccess ? 'No fault. This is what would change:' : 'No fault. It may be installed.'}
            </Alert>
            {inForce.isSuccess && <Difference before={current?.cedar ?? ''} after={text} />}
          </>
        )}
        {/* While an installation is sent, the newer revision that is read may be the one it made. */}
        {draft !== null && current !== null && draft.since < current.revision && !install.isPending && (
          <Superseded by={current} showIt={() => setDraft(null)} />
        )}
        <Fault error={check.error ?? install.error} />
        <Group justify="flex-end">
          {mayRestrict && (
            <Confirm
              label="Lift"
              title="Lift every restriction"
              consequence="The role matrix stands as it is, from the next call on: a revision without any policy takes the place of the one in force. Every revision stays in the list of attempts."
              change={() => ({
                method: 'POST',
                path: '/api/policies/lift',
                done: 'Lifted. It holds from the next call on.',
              })}
              onDone={({ revision }: PolicyRevision) => {
                setDraft((now) => (now === null || now.text.trim() === '' ? null : { ...now, since: revision }));
                setChecked(null);
              }}
              size="sm"
            />
          )}
          <Button
            variant="default"
            loading={check.isPending}
            disabled={!isWritable}
            onClick={() =>
              check.mutate(
                { method: 'POST', path: '/api/policies/check', body: { cedar: text } },
                { onSuccess: ({ faults }) => setChecked({ text, faults }) },
              )
            }
          >
            Check
          </Button>
          <Button
            loading={install.isPending}
            disabled={fresh === null || fresh.faults.length > 0}
            onClick={() =>
              install.mutate(
                {
                  method: 'POST',
                  path: '/api/policies',
                  body: { cedar: text },
                  done: 'Installed. It holds from the next call on.',
                },
                {
                  onSuccess: ({ revision }) => {
                    setDraft((now) => (now === null || now.text === text ? null : { ...now, since: revision }));
                    setChecked(null);
                  },
                },
              )
            }
          >
            Install
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
