import { legible } from '@gateway/contract/legible';
import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useList } from '../../api/list.ts';
import type { Project } from '../../api/objects.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Edit } from '../../ui/edit.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { useEditing } from '../../ui/use-editing.ts';
import { addition, ProjectMembers } from './project-members.tsx';

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
                <Text size="sm">{administrators.map(legible).join(', ')}</Text>
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
