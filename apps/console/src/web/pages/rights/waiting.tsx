import { Button, Group, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import type { WaitingSubject } from '../../api/objects.ts';
import { report } from '../../api/request.ts';
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
