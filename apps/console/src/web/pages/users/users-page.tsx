import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useChoices, useList } from '../../api/list.ts';
import type { Plan, User } from '../../api/objects.ts';
import { SelectAtOnce, SwitchAtOnce } from '../../ui/at-once.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Edit } from '../../ui/edit.tsx';
import type { Choice } from '../../ui/many.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { useEditing } from '../../ui/use-editing.ts';
import { useSearch } from '../../ui/use-search.tsx';
import { revocationsOf } from '../rights/revocation.ts';
import { RolesDialog, RolesOf } from '../rights/roles.tsx';
import { Who } from '../rights/who.tsx';
import { KeysOf } from './keys.tsx';
import { NewUser } from './new-user.tsx';

/** Who may call: accounts, their plan, keys and roles. */
export function UsersPage() {
  const { search, field } = useSearch('Search users', true);
  const users = useList<User>('/api/users', 'users', { search }, '');
  const read = useChoices<Plan>('/api/plans', 'plans');
  const plans = read.rows.map(({ id, name }) => ({ value: id, label: name }));
  // Whom plans are closed to holds a role: accounts are changed by the shared pair alone (specification, Administration console API).
  const isRole = read.query.error?.status === 403;
  const [opened, { open, close }] = useDisclosure(false);
  const { edited, edit } = useEditing<User>();
  const changing = useEditing<string>();
  return (
    <Section
      title="Users"
      about={
        isRole
          ? 'Every account has a name, at most one plan, its keys and its roles. You change the roles; the rest is for the shared pair alone.'
          : 'Every account has a name, at most one plan, its keys and its roles. Whatever is changed here holds from the next call on.'
      }
      actions={
        <>
          {field}
          {!isRole && <Button onClick={open}>Create a user</Button>}
        </>
      }
      reading={users.query}
    >
      <NewUser opened={opened} close={close} plans={plans} />
      {edited !== null && <KeysOf key={edited.opening} {...edited.dialog} user={edited.thing} />}
      {changing.edited !== null && (
        <RolesDialog key={changing.edited.opening} {...changing.edited.dialog} subject={changing.edited.thing} />
      )}
      <DataTable
        label="Users"
        list={users}
        rowKey={({ id }) => id}
        minWidth={900}
        empty={
          search === '' ? (
            <>
              <Text fw={600}>No user yet</Text>
              {!isRole && (
                <Button variant="light" onClick={open}>
                  Create the first user
                </Button>
              )}
            </>
          ) : (
            <Text size="sm">No user matches “{search}”.</Text>
          )
        }
        columns={[
          { title: 'User', cell: ({ username, ...user }) => <Who {...user} subject={username} /> },
          {
            title: 'Plan',
            cell: (user) => (isRole ? planIn(user) : <PlanOf user={user} plans={plans} />),
          },
          {
            title: 'Roles',
            cell: ({ username, roles }) => <RolesOf subject={username} roles={roles} change={changing.edit} />,
          },
          { title: 'Enabled', cell: (user) => <Enabled user={user} isRole={isRole} /> },
          ...(isRole
            ? []
            : [
                {
                  title: 'Actions',
                  align: 'actions' as const,
                  cell: (user: User) => <ActionsOf user={user} edit={edit} />,
                },
              ]),
        ]}
      />
    </Section>
  );
}

function ActionsOf({ user, edit }: { user: User; edit: (user: User) => void }) {
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <Edit label="Keys" of={`of ${user.username}`} open={() => edit(user)} />
      <Confirm
        label="Delete"
        title={`Delete user ${user.username}`}
        consequence="The account, its keys, its roles and its place in projects are deleted. What it used and did stays in the logs. To stop it for a while only, disable it."
        change={() => ({
          method: 'DELETE',
          path: `/api/users/${user.id}`,
          done: `User ${user.username} deleted.`,
        })}
      />
    </Group>
  );
}

/** Whether somebody has a plan, where its name is not known. */
const planIn = ({ plan }: User) => (plan === null ? 'no plan: refused' : 'has a plan');

function PlanOf({ user, plans }: { user: User; plans: readonly Choice[] }) {
  return (
    <SelectAtOnce
      aria-label={`Plan of ${user.username}`}
      w={180}
      clearable
      placeholder={planIn(user)}
      choices={plans}
      value={user.plan}
      change={(plan) => ({
        method: 'PATCH',
        path: `/api/users/${user.id}`,
        body: { plan },
        done: `Plan of ${user.username} changed.`,
      })}
    />
  );
}

/** Whether an account may call, and beside it what no switch of it undoes: that its subject is revoked. */
function Enabled({ user, isRole }: { user: User; isRole: boolean }) {
  return (
    <Group gap="xs">
      {isRole ? <Outcome of={user.enabled ? 'enabled' : 'disabled'} /> : <EnabledSwitch user={user} />}
      {user.revoked && (
        <Button
          component="a"
          size="compact-xs"
          variant="light"
          color="red"
          href={revocationsOf(user.username)}
          aria-label={`revoked: ${user.username}`}
        >
          revoked
        </Button>
      )}
    </Group>
  );
}

function EnabledSwitch({ user }: { user: User }) {
  return (
    <SwitchAtOnce
      aria-label={`${user.username} is enabled`}
      checked={user.enabled}
      change={() => ({
        method: 'PATCH',
        path: `/api/users/${user.id}`,
        body: { enabled: !user.enabled },
        done: user.enabled ? `${user.username} is refused from the next call on.` : `${user.username} may call again.`,
      })}
    />
  );
}
