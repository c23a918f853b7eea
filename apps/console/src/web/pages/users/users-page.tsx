import { roleLabel, roleNames } from '@gateway/contract/labels';
import { Button, Code, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Changing, useChange } from '../../api/change.tsx';
import { type Filters, listPath, readEvery, useChoices, useList } from '../../api/list.ts';
import type { AccountKey, Plan, User } from '../../api/objects.ts';
import type { ApiError } from '../../api/request.ts';
import { text, useOpened, useSearchParams } from '../../route/use-search-params.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { KeyReveal } from '../../ui/copy.tsx';
import { DataTable, type Selection, useSelection } from '../../ui/data-table.tsx';
import { Fault, ReadFault, withoutFields } from '../../ui/fault.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { type Dialog, Layer } from '../../ui/layer.tsx';
import { Named } from '../../ui/named.tsx';
import { amount, type Choice, count, many } from '../../ui/numbers.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { InlineSelect } from '../../ui/parts.tsx';
import { useSearch } from '../../ui/search-field.tsx';
import { Edit, Section } from '../../ui/section.tsx';
import { Day, expiryAfter, Lifetime, NEVER, stateOfKey, Time } from '../../ui/time.tsx';
import { useEditing } from '../../ui/use-editing.ts';
import { ValidatedForm } from '../../ui/validated-form.tsx';
import { AccessDialog } from '../rights/access.tsx';
import { FIRST_ROLE, Who } from '../rights/role-choice.tsx';
import { RolesDialog, RolesOf } from '../rights/roles.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';

export function NewUser({ opened, close, plans }: { opened: boolean; close: () => void; plans: readonly Choice[] }) {
  const [made, setMade] = useState<{ username: string; key: string } | null>(null);
  const form = useForm({ initialValues: { username: '', plan: '', role: FIRST_ROLE, lifetime: NEVER } });
  // The one plan there is to give: the first administrator's own has no cap, and is nobody's to give by a slip.
  const usual = plans.filter(({ label }) => label.toLowerCase() !== 'administrator');
  const plan = form.values.plan ?? '';
  const [isPicked, setIsPicked] = useState(false);
  const chosen = plan === '' && !isPicked && usual.length === 1 ? (usual[0]?.value ?? '') : plan;
  return (
    <>
      <KeyReveal of={made?.username ?? ''} secret={made?.key ?? null} close={() => setMade(null)} />
      <FormModal<typeof form.values, { username: string; key: string }>
        opened={opened}
        close={close}
        title="Create a user"
        submit="Create and show the key"
        form={form}
        change={({ username, role, lifetime }) => ({
          method: 'POST',
          path: '/api/users',
          body: {
            username,
            keyExpiresAt: expiryAfter(lifetime),
            ...(chosen === '' ? {} : { plan: chosen }),
            ...(role === '' ? {} : { role }),
          },
          done: `User ${username} created.`,
        })}
        onDone={setMade}
      >
        <TextInput
          label="Username"
          description="The subject that every decision and usage record names."
          required
          data-autofocus
          {...form.getInputProps('username')}
        />
        <Select
          label="Plan"
          description="Without one, every call is refused."
          placeholder="No plan"
          clearable
          allowDeselect={false}
          {...many(plans)}
          {...form.getInputProps('plan')}
          value={chosen || null}
          onChange={(next) => (setIsPicked(true), form.setFieldValue('plan', next ?? ''))}
        />
        <Select
          label="Role"
          description={
            form.values.role === '' ? 'Without one, every call is refused.' : 'More roles can be granted in the list.'
          }
          placeholder="No role"
          clearable
          allowDeselect={false}
          data={['utilisateur-standard', 'administrateur-d-instance', 'auditeur'].map((value) => ({
            value,
            label: roleLabel(value),
          }))}
          {...form.getInputProps('role')}
          value={form.values.role || null}
          onChange={(role) => form.setFieldValue('role', role ?? '')}
        />
        <Lifetime label="The key expires" w="100%" {...form.getInputProps('lifetime')} />
      </FormModal>
    </>
  );
}

/** The callers: accounts, their plan, keys and roles. */
export function UsersPage() {
  const { search, field } = useSearch('Search users', true);
  const { values, set } = useSearchParams({ plan: text, role: text, state: text });
  const filters = { search, ...values };
  const isFiltered = Object.values(filters).some((value) => value !== undefined && value !== '');
  const users = useList<User>('/api/users', 'users', filters, '');
  const read = useChoices<Plan>('/api/plans', 'plans');
  const plans = read.rows.map(({ id, name }) => ({ value: id, label: name }));
  // A user who cannot read plans has a role: only the shared pair changes accounts (console-1).
  const isRole = read.query.error?.status === 403;
  const [opened, { open, close }] = useOpened('user');
  const { edited, edit } = useEditing<User>();
  const changing = useEditing<string>();
  const access = useEditing<string>();
  const [importing, imports] = useDisclosure(false);
  const [changingMany, bulk] = useDisclosure(false);
  const selection = useSelection<User>(
    ({ id }) => id,
    ({ username }) => username,
  );
  return (
    <Section
      title="Users"
      about={
        isRole
          ? 'Every account has a name, at most one plan, its keys and its roles. You can change the roles. Only the shared pair can change the rest.'
          : 'Every account has a name, at most one plan, its keys and its roles. A change takes effect with the next call.'
      }
      actions={
        <>
          {field}
          {!isRole && (
            <Button variant="default" onClick={imports.open}>
              Import
            </Button>
          )}
          {!isRole && <Button onClick={open}>Create a user</Button>}
        </>
      }
      filters={
        <>
          <Group gap="xs">
            <Filter label="Plan" value={values.plan} choices={[...plans, NO_PLAN]} set={(next) => set('plan', next)} />
            <Filter label="Role" value={values.role} choices={ROLES} set={(next) => set('role', next)} />
            <Filter label="State" value={values.state} choices={STATES} set={(next) => set('state', next)} />
          </Group>
          {selection.rows.length > 0 && (
            <Marked selection={selection} change={bulk.open} filters={filters} isFiltered={isFiltered} />
          )}
        </>
      }
      reading={users.query}
    >
      <NewUser opened={opened} close={close} plans={plans} />
      {edited !== null && <KeysOf key={edited.opening} {...edited.dialog} user={edited.thing} />}
      {changing.edited !== null && (
        <RolesDialog key={changing.edited.opening} {...changing.edited.dialog} subject={changing.edited.thing} />
      )}
      {access.edited !== null && (
        <AccessDialog key={access.edited.opening} {...access.edited.dialog} subject={access.edited.thing} />
      )}
      {importing && <ImportDialog opened={importing} close={imports.close} plans={read.rows} />}
      {changingMany && (
        <BulkDialog
          opened={changingMany}
          close={bulk.close}
          users={selection.rows}
          plans={plans}
          done={selection.clear}
        />
      )}
      <ReadFault of={[read.query]} part="the plans to choose from" />
      <DataTable
        label="Users"
        selection={isRole ? undefined : selection}
        list={users}
        usual="username"
        rowKey={({ id }) => id}
        minWidth={1130}
        empty={
          !isFiltered ? (
            <>
              <Text fw={600}>No user yet</Text>
              {!isRole && (
                <Button variant="light" onClick={open}>
                  Create the first user
                </Button>
              )}
            </>
          ) : (
            <Text size="sm">{search === '' ? 'No user matches these filters.' : `No user matches “${search}”.`}</Text>
          )
        }
        columns={[
          {
            title: 'User',
            sort: 'username',
            cell: ({ username, ...user }) => <Who {...user} subject={username} open={() => access.edit(username)} />,
          },
          {
            title: 'Plan',
            sort: 'plan',
            cell: (user) => (isRole ? planIn(user) : <PlanOf user={user} plans={plans} />),
          },
          {
            title: 'Roles',
            sort: 'roles',
            cell: ({ username, roles }) => <RolesOf subject={username} roles={roles} change={changing.edit} />,
          },
          {
            title: 'State',
            sort: 'state',
            cell: (user) => <Outcome of={user.revoked ? 'revoked' : user.enabled ? 'enabled' : 'disabled'} />,
          },
          { title: 'Spent', sort: 'spent', align: 'right', cell: ({ spent }) => amount(spent) },
          { title: 'Last call', sort: 'lastCallAt', cell: ({ lastCallAt }) => <Day at={lastCallAt} /> },
          { title: 'Key ends', sort: 'keyEndsAt', cell: ({ keyEndsAt }) => <Day at={keyEndsAt} /> },
          {
            title: 'Actions',
            align: 'actions' as const,
            cell: (user: User) => (
              <Group gap={4} justify="flex-end" wrap="nowrap">
                <Edit label="Access" of={`of ${user.username}`} open={() => access.edit(user.username)} />
                {!isRole && <Edit label="Keys" of={`of ${user.username}`} open={() => edit(user)} />}
              </Group>
            ),
          },
        ]}
      />
    </Section>
  );
}

const NO_PLAN: Choice = { value: 'none', label: 'No plan' };
const ROLES: readonly Choice[] = [
  ...roleNames().map((value) => ({ value, label: roleLabel(value) })),
  { value: 'none', label: 'No role' },
];
const STATES: readonly Choice[] = ['enabled', 'disabled', 'revoked'].map((value) => ({ value, label: value }));

function Filter(props: {
  label: string;
  value: string | undefined;
  choices: readonly Choice[];
  set: (next: string | null) => void;
}) {
  const { label, value, choices, set } = props;
  return (
    <Select
      size="xs"
      w={170}
      clearable
      aria-label={label}
      placeholder={`Every ${label.toLowerCase()}`}
      {...many(choices)}
      value={value ?? null}
      onChange={set}
    />
  );
}

/** The most people of a search that are selected at once. */
const MOST_SELECTED = 5000;

/** How many are selected, and what can be done to them. */
function Marked({
  selection,
  change,
  filters,
  isFiltered,
}: {
  selection: Selection<User>;
  change: () => void;
  filters: Filters;
  isFiltered: boolean;
}) {
  const selected = selection.rows.length;
  const every = useMutation<readonly User[], ApiError>({
    mutationFn: () => readEvery<User>(listPath('/api/users', filters), 'users', MOST_SELECTED),
    onSuccess: (all) => selection.set(all, true),
  });
  return (
    <Group gap="sm" role="group" aria-label="Marked people">
      <Text size="sm">{selected === 1 ? '1 person is selected.' : `${count(selected)} people are selected.`}</Text>
      <Button size="compact-sm" onClick={change}>
        Change them
      </Button>
      <Button size="compact-sm" variant="default" loading={every.isPending} onClick={() => every.mutate()}>
        {isFiltered ? 'Select all that match' : 'Select everybody'}
      </Button>
      <Button size="compact-sm" variant="default" onClick={selection.clear}>
        Deselect all
      </Button>
      <Fault error={every.error} />
    </Group>
  );
}

/** Whether somebody has a plan, where its name is not known. */
const planIn = ({ plan }: User) => (plan === null ? 'no plan: refused' : 'has a plan');

function PlanOf({ user, plans }: { user: User; plans: readonly Choice[] }) {
  return (
    <InlineSelect
      aria-label={`Plan of ${user.username}`}
      w={150}
      placeholder={planIn(user)}
      choices={plans}
      value={user.plan}
      change={(plan) => ({
        method: 'PATCH',
        path: `/api/users/${user.id}`,
        body: { plan },
        done: `Plan of ${user.username} changed.`,
        undo: {
          method: 'PATCH',
          path: `/api/users/${user.id}`,
          body: { plan: user.plan },
          done: `${user.username} has its previous plan again.`,
        },
      })}
    />
  );
}

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
