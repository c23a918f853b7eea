import { Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { PolicyAttempt } from '../../api/objects.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';

/** Every attempt to impose a policy on an organization, refused ones included. */
export function PolicyAttempts() {
  const attempts = useList<PolicyAttempt>('/api/audit/organization-policy', 'attempts');
  return (
    <Section title="Attempts" about="Every installation and every refusal of an organization policy, with its author.">
      <DataTable
        label="Attempts"
        list={attempts}
        rowKey={({ id }) => id}
        empty={<Text size="sm">Nobody tried to install a policy yet.</Text>}
        columns={[
          { title: 'When (UTC)', cell: ({ at }) => <Time at={at} /> },
          { title: 'Organization', cell: ({ organization }) => <Text size="sm">{organization}</Text> },
          { title: 'Author', cell: ({ author }) => <Text size="sm">{author}</Text> },
          { title: 'Outcome', cell: ({ outcome }) => <Outcome of={outcome} /> },
          {
            title: 'Revision or fault',
            cell: ({ revision, fault }) => <Text size="sm">{revision === null ? fault : `revision ${revision}`}</Text>,
          },
          {
            title: 'Entry',
            align: 'actions',
            cell: (attempt) => <Details title={`Attempt of ${attempt.author}`} entry={attempt} />,
          },
        ]}
      />
    </Section>
  );
}
