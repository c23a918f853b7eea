import { legible } from '@gateway/contract/legible';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { type ChangeCall, useChange } from '../../api/change.tsx';
import { useList } from '../../api/list.ts';
import type { KnownSubject, Project } from '../../api/objects.ts';
import { useOpened } from '../../route/use-search-params.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Fault, withoutFields } from '../../ui/fault.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { type Dialog, Layer } from '../../ui/layer.tsx';
import { Clamped } from '../../ui/named.tsx';
import { count } from '../../ui/numbers.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { SearchField, useSearch } from '../../ui/search-field.tsx';
import { Edit, Section } from '../../ui/section.tsx';
import { useEditing } from '../../ui/use-editing.ts';
import { ValidatedForm } from '../../ui/validated-form.tsx';
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

const membersOf = (project: string) => `/api/projects/${encodeURIComponent(project)}/members`;

const addition = (project: string, subject: string): ChangeCall => ({
  method: 'POST',
  path: membersOf(project),
  body: { subject },
  done: `${subject} belongs to ${project}.`,
});

/** The members of a project, and the controls to add and remove them. */
function ProjectMembers({ project, ...dialog }: { project: string } & Dialog) {
  return (
    <Layer {...dialog} title={`Members of ${project}`} size="lg">
      <Members project={project} />
    </Layer>
  );
}

function Members({ project }: { project: string }) {
  const [search, setSearch] = useState('');
  // As the whole instance knows them: the list of `/project` is for the administrators of the project.
  const members = useList<KnownSubject>('/api/subjects', 'subjects', { project, search });
  const { mutate, isPending, error } = useChange();
  const form = useForm({ initialValues: { subject: '' } });
  return (
    <Stack>
      <ValidatedForm
        form={form}
        error={error}
        submit={({ subject }) =>
          mutate(addition(project, subject), {
            onSuccess: form.reset,
            onError: ({ fields }) => form.setErrors(fields),
          })
        }
      >
        <Group align="flex-start">
          <TextInput
            label="Add a member"
            description="A username, or the subject that the identity provider knows."
            required
            style={{ flex: 1 }}
            {...form.getInputProps('subject')}
          />
          <Button type="submit" loading={isPending} mt={44}>
            Add
          </Button>
        </Group>
      </ValidatedForm>
      <Fault error={withoutFields(error, ['subject'], form.errors)} />
      <SearchField label="Search members" searchText={search} onSearch={setSearch} />
      <DataTable
        label={`Members of ${project}`}
        list={members}
        usual="subject"
        rowKey={(known) => known.subject}
        minWidth={340}
        empty={
          <Text size="sm">
            {search === '' ? 'Nobody belongs to this project yet.' : `No member matches “${search}”.`}
          </Text>
        }
        columns={[
          { title: 'Member', sort: 'subject', cell: (known) => <Who {...known} /> },
          { title: 'State', sort: 'state', cell: (known) => <StateOf {...known} /> },
          {
            title: 'Actions',
            align: 'actions',
            cell: (known) => (
              <Confirm
                label="Remove"
                title={`Remove ${known.subject} from ${project}`}
                consequence="Its administrators no longer reach the account, which stays as it is, with its roles."
                change={() => ({
                  method: 'DELETE',
                  path: `${membersOf(project)}/${encodeURIComponent(known.subject)}`,
                  done: `${known.subject} no longer belongs to ${project}.`,
                })}
              />
            ),
          },
        ]}
      />
    </Stack>
  );
}

/** The projects, their administrators, and their members. */
export function Projects() {
  const projects = useList<Project>('/api/projects', 'projects', {}, '');
  const [opened, { open, close }] = useDisclosure(false);
  const { edited, edit } = useEditing<Project>();
  const form = useForm({ initialValues: { project: '', subject: '' } });
  return (
    <Section
      title="Projects"
      about="A project is a name that its administrators and members share. Its project administrators manage them at /project."
      actions={<Button onClick={open}>Add a member</Button>}
      reading={projects.query}
    >
      <FormModal
        opened={opened}
        close={close}
        title="Add a member to a project"
        submit="Add"
        form={form}
        change={({ project, subject }) => addition(project, subject)}
      >
        <TextInput
          label="Project"
          description="A name that is new begins a project."
          required
          data-autofocus
          {...form.getInputProps('project')}
        />
        <TextInput
          label="Subject"
          description="A username, or the subject that the identity provider knows."
          required
          {...form.getInputProps('subject')}
        />
      </FormModal>
      {edited !== null && <ProjectMembers key={edited.opening} {...edited.dialog} project={edited.thing.project} />}
      <DataTable
        label="Projects"
        list={projects}
        usual="project"
        rowKey={({ project }) => project}
        empty={
          <>
            <Text fw={600}>No project yet</Text>
            <Text size="sm" c="dimmed">
              One begins with its first member, or with its first administrator.
            </Text>
          </>
        }
        columns={[
          {
            title: 'Project',
            sort: 'project',
            cell: ({ project }) => (
              <Text size="sm" fw={500}>
                {legible(project)}
              </Text>
            ),
          },
          {
            title: 'Administrators',
            cell: ({ administrators }) =>
              administrators.length > 0 ? (
                <Clamped lines={2}>{administrators.map(legible).join(', ')}</Clamped>
              ) : (
                <Text size="xs" c="dimmed">
                  nobody has its role
                </Text>
              ),
          },
          { title: 'Members', sort: 'members', align: 'right', cell: ({ members }) => count(members) },
          {
            title: 'Actions',
            align: 'actions',
            cell: (project) => <Edit label="Members" of={`of ${project.project}`} open={() => edit(project)} />,
          },
        ]}
      />
    </Section>
  );
}
