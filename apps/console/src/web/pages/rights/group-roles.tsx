import { scopedRoleLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useList } from '../../api/list.ts';
import type { GroupRole } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { FIRST_ROLE, OF_A_PROJECT, ProjectField, RoleChoice } from './role-choice.tsx';

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
