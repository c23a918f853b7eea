import { csvField } from '@gateway/contract/csv';
import { roleLabel, scopedRoleLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Alert, Button, Group, List, Progress, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Batch, type Ended, useSeveral } from '../../api/change.tsx';
import type { User } from '../../api/objects.ts';
import type { ApiError } from '../../api/request.ts';
import { saveText } from '../../ui/copy.tsx';
import { Fault } from '../../ui/fault.tsx';
import { type Dialog, Layer } from '../../ui/layer.tsx';
import { type Choice, count, many } from '../../ui/numbers.ts';

const ACTIONS = {
  enable: 'Enable the accounts',
  disable: 'Disable the accounts',
  revoke: 'Revoke everywhere',
  grant: 'Give a role',
  plan: 'Give a plan',
} as const;
const ROLES = ['utilisateur-standard', 'administrateur-d-instance', 'auditeur'];

export interface BulkDialogProps extends Dialog {
  readonly users: readonly User[];
  readonly plans: readonly Choice[];
  /** Called when something was changed. */
  readonly done: () => void;
}

/** One action on several people: a preview for each of them, then the change, which can be undone. */
export function BulkDialog({ users, plans, done, close, ...dialog }: BulkDialogProps) {
  const [kind, setKind] = useState<keyof typeof ACTIONS>('disable');
  const [role, setRole] = useState(ROLES[0] ?? '');
  const [plan, setPlan] = useState(plans[0]?.value ?? '');
  const [reason, setReason] = useState('');
  const { run, ended, error, state, stop } = useSeveral<User>(({ username }) => username);
  // Once it is begun, the people are those of the beginning: the lists are read again.
  const [begun, setBegun] = useState<readonly User[]>(users);
  const affected = state === 'ready' ? users : begun;
  const isUnderWay = state === 'running';
  const planName = (id: string | null) =>
    id === null ? 'no plan' : (plans.find(({ value }) => value === id)?.label ?? id);
  const action: Action =
    kind === 'grant'
      ? { kind, role }
      : kind === 'plan'
        ? { kind, plan, name: planName(plan) }
        : kind === 'revoke'
          ? { kind, reason }
          : { kind };
  const { steps, unchanged } = previewOf(affected, action, planName);
  const isReady = steps.length > 0 && (kind !== 'revoke' || reason.trim() !== '');
  const apply = async () => {
    setBegun(users);
    const all = steps.map(({ user }) => user);
    const isWhole = await run(all, requestsOf(action), (many_) => `${ACTIONS[kind]}: ${people(many_)} changed.`);
    if (isWhole) close();
    done();
  };
  return (
    <Layer {...dialog} close={close} isBusy={() => isUnderWay} title={`Change ${people(affected.length)}`} size="lg">
      <Stack>
        <Group align="flex-end" gap="sm">
          <Select
            label="Action"
            w={220}
            allowDeselect={false}
            data={Object.entries(ACTIONS).map(([value, label]) => ({ value, label }))}
            value={kind}
            disabled={state !== 'ready'}
            onChange={(next) => next !== null && setKind(next as keyof typeof ACTIONS)}
          />
          {kind === 'grant' && (
            <Select
              label="Role"
              disabled={state !== 'ready'}
              w={200}
              allowDeselect={false}
              data={ROLES.map((value) => ({ value, label: roleLabel(value) }))}
              value={role}
              onChange={(next) => next !== null && setRole(next)}
            />
          )}
          {kind === 'plan' && (
            <Select
              label="Plan"
              disabled={state !== 'ready'}
              w={200}
              allowDeselect={false}
              {...many(plans)}
              value={plan}
              onChange={(next) => next !== null && setPlan(next)}
            />
          )}
          {kind === 'revoke' && (
            <TextInput
              label="Reason, kept in the log"
              disabled={state !== 'ready'}
              required
              maxLength={300}
              style={{ flex: '1 1 200px' }}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Group>
        {state === 'ready' && (
          <Text size="sm" role="status">
            {steps.length === 0 ? 'Nothing would change.' : `${people(steps.length)} would change:`}
          </Text>
        )}
        {state === 'ready' && steps.length > 0 && (
          <div style={{ maxHeight: 260, overflowY: 'auto' }} role="group" aria-label="What would change" tabIndex={0}>
            <Table aria-label="What would change" verticalSpacing={4}>
              <Table.Tbody>
                {steps.slice(0, MOST_SHOWN).map(({ user, now, next }) => (
                  <Table.Tr key={user.id}>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{legible(user.username)}</Table.Td>
                    <Table.Td>{now}</Table.Td>
                    <Table.Td>→ {next}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        )}
        {state === 'ready' && steps.length > MOST_SHOWN && (
          <Text size="xs" c="dimmed">
            The first {MOST_SHOWN} of {count(steps.length)} are shown.
          </Text>
        )}
        {state === 'ready' && unchanged.length > 0 && (
          <Text size="xs" c="dimmed">
            Unchanged:{' '}
            {unchanged
              .slice(0, MOST_SHOWN)
              .map(({ user, why }) => `${legible(user.username)} ${why}`)
              .join('; ')}
            {unchanged.length > MOST_SHOWN && `; and ${count(unchanged.length - MOST_SHOWN)} others`}.
          </Text>
        )}
        {isUnderWay && (
          <>
            <Progress value={(ended.length / Math.max(1, steps.length)) * 100} aria-label="Changed people" />
            <Text size="sm" role="status">
              {count(ended.length)} of {count(steps.length)} done. Keep this page open.
            </Text>
          </>
        )}
        {state === 'ended' && <Results ended={ended} of={steps.length} error={error} />}
        <Group justify="flex-end">
          {state === 'ready' && (
            <>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button
                color={kind === 'revoke' || kind === 'disable' ? 'red.9' : 'indigo'}
                disabled={!isReady}
                onClick={() => void apply()}
              >
                {`Change ${people(steps.length)}`}
              </Button>
            </>
          )}
          {isUnderWay && (
            <Button variant="default" onClick={stop}>
              Stop
            </Button>
          )}
          {state === 'ended' && <Button onClick={close}>Done</Button>}
        </Group>
      </Stack>
    </Layer>
  );
}

const lineOf = ({ item, outcome, error = '' }: Ended<User>): string =>
  `${csvField(item.username)},${outcome},${csvField(error)}\n`;

/** What became of each person: the refusals on the page, every line in a file. */
function Results({ ended, of, error }: { ended: readonly Ended<User>[]; of: number; error: ApiError | null }) {
  const refused = ended.filter(({ outcome }) => outcome === 'refused');
  const file = `username,outcome,error\n${ended.map(lineOf).join('')}`;
  return (
    <>
      <Fault error={error} />
      <Text size="sm" role="status">
        {`${people(ended.length - refused.length)} done. ${count(refused.length)} refused. ${count(of - ended.length)} not sent.`}
      </Text>
      {refused.length > 0 && (
        <Alert color="red" variant="light" role="alert" title={`Refused for ${people(refused.length)}`}>
          <List size="sm">
            {refused.slice(0, MOST_SHOWN).map(({ item, error: reason }) => (
              <List.Item key={item.id}>
                {legible(item.username)}: {reason}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {ended.length > 0 && (
        <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => saveText('changes.csv', file)}>
          Save the result of each
        </Button>
      )}
    </>
  );
}

/** A preview of thousands says no more than that of the first. */
const MOST_SHOWN = 100;

const people = (number: number): string => (number === 1 ? '1 person' : `${count(number)} people`);

/** An action on several people. */
export type Action =
  | { readonly kind: 'enable' | 'disable' }
  | { readonly kind: 'revoke'; readonly reason: string }
  | { readonly kind: 'grant'; readonly role: string }
  | { readonly kind: 'plan'; readonly plan: string; readonly name: string };

/** What the change makes of one person. */
interface Step {
  readonly user: User;
  readonly now: string;
  readonly next: string;
}

/** Requests that change many people at once, and those that undo it. */
interface Requests {
  readonly make: Batch<User>;
  readonly undo: Batch<User>;
}

interface Preview {
  readonly steps: readonly Step[];
  /** People who are not affected, and why. */
  readonly unchanged: readonly { readonly user: User; readonly why: string }[];
}

const stateOf = ({ enabled }: User): string => (enabled ? 'enabled' : 'disabled');

function stepOf(user: User, action: Action, planName: (id: string | null) => string): Step | string {
  switch (action.kind) {
    case 'enable':
    case 'disable': {
      const enabled = action.kind === 'enable';
      if (user.enabled === enabled) return `is ${stateOf(user)} already`;
      return { user, now: stateOf(user), next: stateOf({ ...user, enabled }) };
    }
    case 'revoke':
      return user.revoked ? 'is revoked already' : { user, now: 'not revoked', next: 'revoked' };
    case 'grant': {
      const { role } = action;
      if (user.roles.some((held) => held.role === role)) return `has the role ${roleLabel(role)} already`;
      const now = user.roles.map(scopedRoleLabel).join(', ') || 'no role';
      return { user, now, next: [...user.roles.map(scopedRoleLabel), roleLabel(role)].join(', ') };
    }
    default:
      return user.plan === action.plan
        ? `has the plan ${action.name} already`
        : { user, now: planName(user.plan), next: action.name };
  }
}

/** Changes of accounts. @param changed what each of them becomes */
const changesOf = (changed: (user: User) => object): Batch<User> => ({
  path: '/api/users/changes',
  body: (users) => ({ changes: users.map((user) => ({ id: user.id, ...changed(user) })) }),
});

const subjectsOf = (users: readonly User[]): readonly string[] => users.map(({ username }) => username);

/** The requests of an action. The undo gives each person what the list showed before. */
export function requestsOf(action: Action): Requests {
  switch (action.kind) {
    case 'enable':
    case 'disable':
      return {
        make: changesOf(() => ({ enabled: action.kind === 'enable' })),
        undo: changesOf(({ enabled }) => ({ enabled })),
      };
    case 'revoke':
      return {
        make: {
          path: '/api/subject-revocations/batch',
          body: (users) => ({ subjects: subjectsOf(users), reason: action.reason }),
        },
        undo: {
          path: '/api/subject-revocations/batch-lift',
          body: (users) => ({ subjects: subjectsOf(users), reason: 'undone at once' }),
        },
      };
    case 'grant':
      return {
        make: {
          path: '/api/role-assignments/batch',
          body: (users) => ({ role: action.role, subjects: subjectsOf(users) }),
        },
        undo: {
          path: '/api/role-assignments/batch-removal',
          body: (users) => ({ role: action.role, subjects: subjectsOf(users) }),
        },
      };
    default:
      return { make: changesOf(() => ({ plan: action.plan })), undo: changesOf(({ plan }) => ({ plan })) };
  }
}

/** What an action does to each of these people. @param planName of a plan's id; null is no plan */
export function previewOf(users: readonly User[], action: Action, planName: (id: string | null) => string): Preview {
  const found = users.map((user) => ({ user, step: stepOf(user, action, planName) }));
  return {
    steps: found.flatMap(({ step }) => (typeof step === 'string' ? [] : [step])),
    unchanged: found.flatMap(({ user, step }) => (typeof step === 'string' ? [{ user, why: step }] : [])),
  };
}
