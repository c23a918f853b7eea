import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import type { PolicyFault, PolicyRevision } from '../../api/objects.ts';
import { type ApiError, request } from '../../api/request.ts';
import { Fault } from '../../ui/fault.tsx';
import { Section } from '../../ui/section.tsx';
import { Difference } from './difference.tsx';
import { TextEditor } from './text-editor.tsx';

const EXAMPLE = `// Contractors call no endpoint but "chat".
forbid (
  principal,
  action == Action::"inference:appeler",
  resource
) unless { resource == Endpoint::"chat" };
`;

/** The Cedar policy set that narrows the role matrix: edited, checked, compared with the revision in force, installed. */
export function AuthorizationPolicy() {
  const inForce = useQuery<{ policy: PolicyRevision | null }, ApiError>({
    queryKey: ['/api/policies/in-force'],
    queryFn: ({ signal }) => request('GET', '/api/policies/in-force', undefined, signal),
  });
  const current = inForce.data?.policy ?? null;
  const [draft, setDraft] = useState<string | null>(null);
  const [checked, setChecked] = useState<{ text: string; faults: readonly PolicyFault[] } | null>(null);
  const text = draft ?? current?.cedar ?? '';
  const fresh = checked?.text === text ? checked : null;
  const check = useChange<{ faults: readonly PolicyFault[] }>();
  const install = useChange();
  return (
    <Section
      title="Authorization policy"
      about="Narrows what the roles permit, never widens it: a Cedar policy set that holds only forbid. It holds from the next call on."
      actions={
        inForce.isSuccess && (
          <Badge variant="light" color={current === null || current.cedar === '' ? 'gray' : 'indigo'} tt="none">
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
          <Fault error={inForce.error} retry={inForce.refetch} />
        )}
        <TextEditor label="Cedar policy set" value={text} onChange={setDraft} faults={fresh?.faults ?? []} />
        {text === '' && (
          <Group>
            <Button size="xs" variant="default" onClick={() => setDraft(EXAMPLE)}>
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
        <Fault error={check.error ?? install.error} />
        <Group justify="flex-end">
          <Button
            variant="default"
            loading={check.isPending}
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
                { onSuccess: () => (setDraft((now) => (now === text ? null : now)), setChecked(null)) },
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
