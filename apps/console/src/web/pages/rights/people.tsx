import { legible } from '@gateway/contract/legible';
import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useList } from '../../api/list.ts';
import type { KnownSubject } from '../../api/objects.ts';
import { useOpened } from '../../route/use-search-params.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { Clamped } from '../../ui/named.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { useSearch } from '../../ui/search-field.tsx';
import { Edit, Section } from '../../ui/section.tsx';
import { useEditing } from '../../ui/use-editing.ts';
import { AccessDialog } from './access.tsx';
import { FIRST_ROLE, OF_A_PROJECT, ProjectField, RoleChoice, Who } from './role-choice.tsx';
import { grantOf, RolesDialog, RolesOf } from './roles.tsx';

/** All people this instance knows, with their roles, including people without an account. */
export function People() {
  const { search, field } = useSearch('Search subjects');
  const people = useList<KnownSubject>('/api/subjects', 'subjects', { search }, '');
  const { edited, edit } = useEditing<string>();
  const access = useEditing<string>();
  return (
    <Section
      title="Roles"
      about="All people this instance knows, and their roles. Without a role, everything is refused. A change takes effect with the next call."
      actions={
        <>
          {field}
          <GrantRole />
        </>
      }
      reading={people.query}
    >
      {access.edited !== null && (
        <AccessDialog key={access.edited.opening} {...access.edited.dialog} subject={access.edited.thing} />
      )}
      {edited !== null && <RolesDialog key={edited.opening} {...edited.dialog} subject={edited.thing} />}
      <DataTable
        label="Roles"
        list={people}
        usual="subject"
        rowKey={({ subject }) => subject}
        minWidth={900}
        empty={<Text size="sm">{search === '' ? 'Nobody is known yet.' : `No subject matches “${search}”.`}</Text>}
        columns={[
          {
            title: 'Subject',
            sort: 'subject',
            cell: (known) => <Who {...known} open={() => access.edit(known.subject)} />,
          },
          {
            title: 'Roles',
            sort: 'roles',
            cell: ({ subject, roles }) => <RolesOf subject={subject} roles={roles} change={edit} />,
          },
          {
            title: 'Projects',
            sort: 'projects',
            cell: ({ projects }) => <Clamped lines={2}>{projects.map(legible).join(', ')}</Clamped>,
          },
          { title: 'State', sort: 'state', cell: (known) => <StateOf {...known} /> },
          {
            title: 'Actions',
            align: 'actions',
            cell: ({ subject }) => <Edit label="Access" of={`of ${subject}`} open={() => access.edit(subject)} />,
          },
        ]}
      />
    </Section>
  );
}

export function StateOf({ origin, enabled, revoked }: KnownSubject) {
  if (revoked) return <Outcome of="revoked" />;
  if (origin !== null) return <Outcome of={enabled ? 'enabled' : 'disabled'} />;
  return (
    <Text size="xs" c="dimmed">
      not seen yet
    </Text>
  );
}

/** Gives a role to any name: a person known only to the identity provider is in no list before the first call. */
function GrantRole() {
  const [opened, { open, close }] = useOpened('grant');
  const form = useForm<{ subject: string; role: string; project: string }>({
    initialValues: { subject: '', role: FIRST_ROLE, project: '' },
  });
  return (
    <>
      <Button onClick={open}>Grant a role</Button>
      <FormModal opened={opened} close={close} title="Grant a role" submit="Grant" form={form} change={grantOf}>
        <Text size="sm" c="dimmed">
          Nobody both administers and audits. A role takes effect with the next call.
        </Text>
        <TextInput
          label="Subject"
          description="A username, or the subject that the identity provider knows."
          required
          data-autofocus
          {...form.getInputProps('subject')}
        />
        <RoleChoice {...form.getInputProps('role')} value={form.values.role} />
        {form.values.role === OF_A_PROJECT && <ProjectField {...form.getInputProps('project')} />}
      </FormModal>
    </>
  );
}
