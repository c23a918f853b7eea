import { scopedRoleLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Alert, Badge, Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useContext } from 'react';
import { useAccount } from '#account';
import { listPath } from '../../api/list.ts';
import type { KnownSubject, SubjectRevocation } from '../../api/objects.ts';
import { useMay } from '../../api/queries.ts';
import { useRead } from '../../api/request.ts';
import { Surface } from '../../route/use-route.ts';
import { AtOnce, Confirm } from '../../ui/confirm.tsx';
import { Fault } from '../../ui/fault.tsx';
import { type Dialog, Layer } from '../../ui/layer.tsx';
import { inWords } from '../../ui/time.tsx';
import type { Action, Cause } from '../account/account.ts';
import { liftOf, REVOKES, revocationOf } from './revoke-form.tsx';
import { FIRST_ROLE } from './role-choice.tsx';
import { grantOf } from './roles.tsx';

/** Whether a person's calls are served, why not, and everything that changes it. */
export function AccessDialog({ subject, ...dialog }: { subject: string } & Dialog) {
  return (
    <Layer {...dialog} title={`Access of ${legible(subject)}`} size="lg">
      <Access subject={subject} />
    </Layer>
  );
}

const LIFT_REASON = 'Reason, kept in the log';

function Access({ subject }: { subject: string }) {
  const read = useRead<{ subjects: readonly KnownSubject[] }>(listPath('/api/subjects', { subject }));
  const revocations = useRead<{ subjectRevocations: readonly SubjectRevocation[] }>(
    listPath('/api/subject-revocations', { subject, inForce: 'true' }),
  );
  const account = useAccount(subject);
  const reads = [read, revocations, ...account.reads];
  if (reads.some(({ isLoading }) => isLoading))
    return <Skeleton height={200} role="status" aria-busy="true" aria-label="Access: loading" />;
  const known = read.data?.subjects[0];
  const revocation = revocations.data?.subjectRevocations[0];
  const causes = [...causesOf(subject, known, revocation), ...account.causes];
  const actions = [...actionsOf(subject, revocation), ...account.actions];
  const failed = reads.find(({ error }) => error !== null);
  return (
    <Stack>
      {failed !== undefined && <Fault error={failed.error} retry={failed.refetch} />}
      {!reads.some(({ isLoadingError }) => isLoadingError) && <State subject={subject} known={known} causes={causes} />}
      <Trail subject={subject} />
      {revocations.data !== undefined && (
        <Stack gap="xs" component="section" aria-label="What can be done">
          {actions.map(({ id, name, about, button }) => (
            <Paper key={id} withBorder p="sm">
              <Group justify="space-between" wrap="wrap" gap="sm">
                <div style={{ flex: '1 1 240px' }}>
                  <Text size="sm" fw={600}>
                    {name}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {about}
                  </Text>
                </div>
                {button}
              </Group>
            </Paper>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

/** Links to a person's entries in the logs. */
function Trail({ subject }: { subject: string }) {
  const { tabs } = useContext(Surface);
  const mayRead = useMay('journal:lire') !== false;
  const readsLog = mayRead && tabs.includes('audit');
  const of = new URLSearchParams({ subject }).toString();
  const links = [
    readsLog && ['Decisions', `#audit/decisions?${of}`],
    readsLog && ['Refused', `#audit/decisions?outcome=refused&${of}`],
    readsLog && ['Agent acts', `#audit/agent-acts?${of}`],
    tabs.includes('usage') && ['Usage', `#usage?${of}`],
  ].filter((link) => link !== false);
  if (links.length === 0) return null;
  return (
    <Group gap="xs" component="nav" aria-label={`What ${legible(subject)} did`}>
      {links.map(([label, href]) => (
        <Button key={label} component="a" href={href ?? ''} size="compact-sm" variant="light">
          {label}
        </Button>
      ))}
    </Group>
  );
}

function State({
  subject,
  known,
  causes,
}: {
  subject: string;
  known: KnownSubject | undefined;
  causes: readonly Cause[];
}) {
  const roles = known?.roles ?? [];
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Badge color={causes.length === 0 ? 'teal' : 'red'} variant="light" miw="max-content">
          {causes.length === 0 ? 'served' : 'refused'}
        </Badge>
        <Text size="sm">
          {causes.length === 0
            ? `Calls of ${legible(subject)} to endpoints are served.`
            : `Every call of ${legible(subject)} to an endpoint is refused:`}
        </Text>
      </Group>
      {causes.map(({ name, text, fix }) => (
        <Alert key={name} color="red" variant="light" role="note" py="xs">
          <Group justify="space-between" gap="sm">
            <Text size="sm" style={{ flex: '1 1 220px' }}>
              {text}
            </Text>
            {fix}
          </Group>
        </Alert>
      ))}
      <Text size="xs" c="dimmed">
        {roles.length === 0 ? 'No role. ' : `Roles: ${roles.map(scopedRoleLabel).join(', ')}. `}
        An authorization policy may refuse more; the log then says so.
      </Text>
    </Stack>
  );
}

function causesOf(
  subject: string,
  known: KnownSubject | undefined,
  revocation: SubjectRevocation | undefined,
): readonly Cause[] {
  const causes: Cause[] = [];
  if (revocation !== undefined) {
    const since = inWords(new Date(revocation.revokedAt));
    const text = `Revoked since ${since} UTC by ${legible(revocation.author)}: ${legible(revocation.reason)}`;
    causes.push({ name: 'revoked', text });
  }
  if (known === undefined) return [...causes, { name: 'unknown', text: 'No account, role or project has this name.' }];
  if (!known.roles.some(({ role }) => role === FIRST_ROLE))
    causes.push({
      name: 'role',
      text: 'No role lets it call endpoints.',
      fix: <AtOnce label="Grant the role User" change={() => grantOf({ subject, role: FIRST_ROLE, project: '' })} />,
    });
  return causes;
}

function actionsOf(subject: string, revocation: SubjectRevocation | undefined): readonly Action[] {
  return revocation === undefined
    ? [
        {
          id: 'revocation',
          name: 'Revoke everywhere',
          about:
            'Refuses the name at the gateway and the console, whichever key or token it uses, and stops its agent commands. Account, keys and roles stay. Undo: lift it.',
          button: (
            <Confirm
              size="xs"
              variant="default"
              color="red.9"
              label="Revoke"
              title={`Revoke ${legible(subject)}`}
              consequence={REVOKES}
              reason={LIFT_REASON}
              change={(reason) => revocationOf({ subject, reason })}
            />
          ),
        },
      ]
    : [
        {
          id: 'revocation',
          name: 'Lift the revocation',
          about: 'The name is accepted again, with its keys and roles. Other reasons for refusal stay.',
          button: (
            <Confirm
              size="xs"
              variant="default"
              color="indigo"
              label="Lift"
              title={`Lift the revocation of ${legible(subject)}`}
              consequence="This revocation ends with the next call. A disabled account, a missing role or plan still refuses."
              reason={LIFT_REASON}
              change={(reason) => liftOf({ id: revocation.id, subject, reason })}
            />
          ),
        },
      ];
}
