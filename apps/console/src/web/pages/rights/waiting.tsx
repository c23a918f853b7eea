import { scopedRoleLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import type { GroupRole, WaitingSubject } from '../../api/objects.ts';
import { report } from '../../api/request.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable, type Selection, useSelection } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { FIRST_ROLE, OF_A_PROJECT, ProjectField, RoleChoice, Who } from './role-choice.tsx';

interface Result {
  readonly subject: string;
  readonly outcome: 'granted' | 'held' | 'refused';
  readonly error?: string;
}

/** People who were seen or provisioned, and hold no role: one role is granted to several at once. */
export function Waiting() {
  const waiting = useList<WaitingSubject>('/api/subjects', 'subjects', { waiting: 'true' }, 'waiting');
  const selection = useSelection<WaitingSubject>(
    ({ subject }) => subject,
    ({ subject }) => subject,
  );
  const [refused, setRefused] = useState<readonly Result[]>([]);
  return (
    <Section
      title="Waiting for a role"
      about="People who called or were provisioned, and hold no role. Select several to grant one role to all."
      reading={waiting.query}
      filters={selection.rows.length > 0 && <GrantSeveral selection={selection} show={setRefused} />}
    >
      {refused.map(({ subject, error }) => (
        <Text key={subject} size="sm" c="var(--mantine-color-error)" role="alert">{`${subject}: ${error}`}</Text>
      ))}
      <DataTable
        label="Waiting for a role"
        list={waiting}
        selection={selection}
        rowKey={({ subject }) => subject}
        minWidth={640}
        empty={<Text size="sm">Nobody waits for a role.</Text>}
        columns={[
          { title: 'Subject', cell: (known) => <Who {...known} /> },
          { title: 'First seen (UTC)', cell: ({ firstSeenAt }) => <Time at={firstSeenAt} /> },
          { title: 'Last seen (UTC)', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
          { title: 'Refused this month', align: 'right', cell: ({ refusals }) => count(refusals) },
        ]}
      />
    </Section>
  );
}

/** Requests take at most this many subjects. */
const MOST_SUBJECTS = 500;

function GrantSeveral({
  selection,
  show,
}: {
  selection: Selection<WaitingSubject>;
  show: (refused: readonly Result[]) => void;
}) {
  const [opened, { open, close }] = useDisclosure(false);
  const form = useForm({ initialValues: { role: FIRST_ROLE, project: '' } });
  const subjects = selection.rows.slice(0, MOST_SUBJECTS).map(({ subject }) => subject);
  const people = subjects.length === 1 ? '1 person' : `${count(subjects.length)} people`;
  return (
    <Group gap="xs">
      <Text size="sm">{`${people} selected`}</Text>
      <Button size="compact-sm" onClick={open}>
        Grant a role
      </Button>
      <Button size="compact-sm" variant="default" onClick={selection.clear}>
        Clear
      </Button>
      <FormModal<{ role: string; project: string }, { results: readonly Result[] }>
        opened={opened}
        close={close}
        title={`Grant a role to ${people}`}
        submit="Grant"
        form={form}
        change={({ role, project }) => ({
          method: 'POST',
          path: '/api/role-assignments/batch',
          body: { role, subjects, ...(role === OF_A_PROJECT ? { project } : {}) },
        })}
        onDone={({ results }) => {
          const refused = results.filter(({ outcome }) => outcome === 'refused');
          report(`${count(results.length - refused.length)} granted, ${count(refused.length)} refused.`);
          show(refused);
          selection.clear();
        }}
      >
        <RoleChoice {...form.getInputProps('role')} value={form.values.role} />
        {form.values.role === OF_A_PROJECT && <ProjectField {...form.getInputProps('project')} />}
      </FormModal>
    </Group>
  );
}

/** The roles that members of the identity provider's groups get. */
export function GroupRoles() {
  const mappings = useList<GroupRole>('/api/group-roles', 'groupRoles', {}, 'groups');
  return (
    <Section
      title="Groups to roles"
      about="Members of a group that the identity provider provisions (SCIM) get a role. It ends with the membership or the mapping; roles that a person granted stay."
      actions={<MapGroup />}
      reading={mappings.query}
    >
      <DataTable
        label="Groups to roles"
        list={mappings}
        rowKey={({ id }) => id}
        minWidth={640}
        empty={<Text size="sm">No group is mapped to a role.</Text>}
        columns={[
          { title: 'Group', cell: ({ group }) => legible(group) },
          { title: 'Role', cell: (mapping) => scopedRoleLabel(mapping) },
          {
            title: 'Members',
            align: 'right',
            cell: ({ members }) => (members === null ? 'not provisioned' : count(members)),
          },
          { title: 'Refused', cell: ({ refused }) => <Refused subjects={refused} /> },
          {
            title: 'Actions',
            align: 'actions',
            cell: ({ id, group, role, project }) => (
              <Confirm
                label="Remove"
                title={`Remove the role ${scopedRoleLabel({ role, project })} from the group ${group}`}
                consequence="Its members lose the role with their next call, unless a person granted it to them."
                change={() => ({
                  method: 'DELETE',
                  path: `/api/group-roles/${id}`,
                  done: `The group ${group} no longer has the role ${scopedRoleLabel({ role, project })}.`,
                })}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}

/** Members who hold a role of the other pole. */
function Refused({ subjects }: { subjects: readonly string[] }) {
  if (subjects.length === 0) return '–';
  return (
    <Stack gap={2}>
      <Text size="sm">{subjects.map(legible).join(', ')}</Text>
      <Text size="xs" c="dimmed">
        Nobody both administers and audits: remove the other role first.
      </Text>
    </Stack>
  );
}

function MapGroup() {
  const [opened, { open, close }] = useDisclosure(false);
  const form = useForm({ initialValues: { group: '', role: FIRST_ROLE, project: '' } });
  return (
    <>
      <Button onClick={open}>Map a group</Button>
      <FormModal
        opened={opened}
        close={close}
        title="Map a group to a role"
        submit="Map"
        form={form}
        change={({ group, role, project }) => ({
          method: 'POST',
          path: '/api/group-roles',
          body: { group, role, ...(role === OF_A_PROJECT ? { project } : {}) },
          done: `Members of ${group} get the role with their next call.`,
        })}
      >
        <TextInput
          label="Group"
          description="Its name at the identity provider. It may be provisioned later."
          required
          data-autofocus
          {...form.getInputProps('group')}
        />
        <RoleChoice {...form.getInputProps('role')} value={form.values.role} />
        {form.values.role === OF_A_PROJECT && <ProjectField {...form.getInputProps('project')} />}
      </FormModal>
    </>
  );
}
