import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Change, useChange } from '../../api/change.ts';
import { useList } from '../../api/list.ts';
import type { KnownSubject } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Fault, withoutFields } from '../../ui/fault.tsx';
import { type Dialog, Layer } from '../../ui/layer.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { StateOf } from './people.tsx';
import { Who } from './who.tsx';

const membersOf = (project: string) => `/api/projects/${encodeURIComponent(project)}/members`;

export const addition = (project: string, subject: string): Change => ({
  method: 'POST',
  path: membersOf(project),
  body: { subject },
  done: `${subject} belongs to ${project}.`,
});

/** The members of a project, and the controls to add and remove them. */
export function ProjectMembers({ project, ...dialog }: { project: string } & Dialog) {
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
  const [subject, setSubject] = useState('');
  const { mutate, isPending, error, reset } = useChange();
  return (
    <Stack>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate(addition(project, subject), { onSuccess: () => setSubject('') });
        }}
      >
        <Group align="flex-end">
          <TextInput
            label="Add a member"
            description="A username, or the subject that the identity provider knows."
            required
            value={subject}
            error={error?.fields['subject']}
            onChange={(event) => (reset(), setSubject(event.currentTarget.value))}
            style={{ flex: 1 }}
          />
          <Button type="submit" loading={isPending}>
            Add
          </Button>
        </Group>
      </form>
      <Fault error={withoutFields(error, ['subject'])} />
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
