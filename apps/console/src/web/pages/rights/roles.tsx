import { roleLabel, scopedRoleLabel } from '@gateway/contract/labels';
import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ChangeCall, useChange } from '../../api/change.tsx';
import { useList } from '../../api/list.ts';
import type { KnownSubject, RoleAssignment } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Pager } from '../../ui/data-table.tsx';
import { Fault, withoutFields } from '../../ui/fault.tsx';
import { type Dialog, Layer } from '../../ui/layer.tsx';
import { ValidatedForm } from '../../ui/validated-form.tsx';
import { FIRST_ROLE, OF_A_PROJECT, ProjectField, RoleChoice } from './role-choice.tsx';

/** Grants a role; the project is used by roles that need one. */
export const grantOf = ({
  subject,
  role,
  project,
}: {
  subject: string;
  role: string;
  project: string;
}): ChangeCall => ({
  method: 'POST',
  path: '/api/role-assignments',
  body: { subject, role, ...(role === OF_A_PROJECT ? { project } : {}) },
  done: `${subject} has the role ${roleLabel(role)}.`,
});

/** A narrow column cuts a long name short: the whole is in the title. */
const RoleBadge = ({ name, identifier }: { name: string; identifier: string }) => (
  <Badge variant="light" size="sm" title={`${name} (${identifier})`}>
    {name}
  </Badge>
);

/** The roles of a person, each with its project if it has one. */
export function RolesOf({
  subject,
  roles,
  change,
}: Pick<KnownSubject, 'subject' | 'roles'> & { change: (subject: string) => void }) {
  return (
    <Group gap={4} miw={190}>
      {roles.map(({ role, project }) => (
        <RoleBadge key={`${role}:${project}`} name={scopedRoleLabel({ role, project })} identifier={role} />
      ))}
      {roles.length === 0 && (
        <Text size="xs" c="dimmed">
          no role: refused
        </Text>
      )}
      <Button
        size="compact-xs"
        variant="subtle"
        onClick={() => change(subject)}
        aria-label={`Change the roles of ${subject}`}
      >
        Change
      </Button>
    </Group>
  );
}

/**
 * Grants and removes roles. It is outside the list: a subject that is listed for a role alone leaves the list with the last one.
 */
export function RolesDialog({ subject, ...dialog }: { subject: string } & Dialog) {
  return (
    <Layer {...dialog} title={`Roles of ${subject}`} size="lg">
      <Assignments subject={subject} />
    </Layer>
  );
}

function Assignments({ subject }: { subject: string }) {
  const held = useList<RoleAssignment>('/api/role-assignments', 'roleAssignments', { subject });
  const { rows, query } = held;
  const { mutate, isPending, error } = useChange();
  const form = useForm({ initialValues: { role: FIRST_ROLE, project: '' } });
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        Nobody both administers and audits. A change takes effect with the next call.
      </Text>
      <Fault error={query.error} retry={query.refetch} />
      {query.isPending && <Skeleton height={30} role="status" aria-busy="true" aria-label="Roles: loading" />}
      {query.isSuccess && rows.length === 0 && <Text size="sm">No role yet: every call is refused.</Text>}
      {rows.map(({ id, role: name, project: scope, author }) => (
        <Group key={id} justify="space-between">
          <Text size="sm">
            {scopedRoleLabel({ role: name, project: scope })}{' '}
            <Text span size="xs" c="dimmed" ff="monospace">
              {name}
            </Text>{' '}
            <Text span size="xs" c="dimmed">
              granted by {author}
            </Text>
          </Text>
          <Confirm
            label="Remove"
            title={`Remove the role ${scopedRoleLabel({ role: name, project: scope })} from ${subject}`}
            consequence="What the role permits is refused from the next call on."
            change={() => ({
              method: 'DELETE',
              path: `/api/role-assignments/${id}`,
              done: `${subject} no longer has the role ${roleLabel(name)}.`,
            })}
          />
        </Group>
      ))}
      <Pager label="Roles" list={held} />
      <ValidatedForm
        form={form}
        error={error}
        submit={(values) =>
          mutate(grantOf({ subject, ...values }), { onError: ({ fields }) => form.setErrors(fields) })
        }
      >
        <Group align="flex-start">
          <RoleChoice {...form.getInputProps('role')} value={form.values.role} w={300} />
          {form.values.role === OF_A_PROJECT && <ProjectField {...form.getInputProps('project')} />}
          <Button type="submit" loading={isPending} mt={44}>
            Grant
          </Button>
        </Group>
      </ValidatedForm>
      <Fault error={withoutFields(error, ['role', 'project'], form.errors)} />
    </Stack>
  );
}
