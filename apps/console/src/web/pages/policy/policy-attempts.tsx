import { Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { PolicyAttempt } from '../../api/objects.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';

const ORGANIZATION: Column<PolicyAttempt> = {
  title: 'Organization',
  sort: 'organization',
  cell: ({ organization }) => organization,
};
const KINDS = {
  organization: { path: '/api/audit/organization-policy', of: 'an organization policy' },
  authorization: { path: '/api/audit/policies', of: 'an authorization policy' },
} as const;

/** Every attempt to install a policy of one kind, refused ones included. */
export function PolicyAttempts({ kind }: { kind: PolicyAttempt['kind'] }) {
  const { path, of } = KINDS[kind];
  const title = `Attempts at ${of}`;
  const attempts = useList<PolicyAttempt>(path, 'attempts', {}, `${kind}-attempts`);
  return (
    <Section title={title} about={`Every installation and every refusal of ${of}, with its author.`}>
      <DataTable
        label={title}
        list={attempts}
        usual="-at"
        rowKey={({ id }) => id}
        empty={<Text size="sm">Nobody tried to install a policy yet.</Text>}
        columns={[
          { title: 'When (UTC)', sort: 'at', cell: ({ at }) => <Time at={at} /> },
          ...(kind === 'organization' ? [ORGANIZATION] : []),
          { title: 'Author', sort: 'author', cell: ({ author }) => author },
          { title: 'Outcome', sort: 'outcome', cell: ({ outcome }) => <Outcome of={outcome} /> },
          {
            title: 'Revision or fault',
            sort: 'revision',
            cell: ({ revision, fault }) => (revision === null ? fault : `revision ${revision}`),
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
