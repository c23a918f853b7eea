import { legible } from '@gateway/contract/legible';
import { Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { Decision } from '../../api/objects.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { ExportLinks } from '../../ui/export-links.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { Explained } from './explained.tsx';
import { useFilterBar } from './filter-bar.tsx';

const PATH = '/api/audit/decisions';

export function Decisions() {
  const { filters, bar, empty } = useFilterBar({
    texts: {
      subject: 'Subject',
      resource: 'Resource',
      reason: 'Reason',
      session: 'Session',
      requestId: 'Request id',
    },
    choices: { outcome: { label: 'Outcome', none: 'Any outcome', of: ['granted', 'refused'] } },
    period: true,
  });
  const decisions = useList<Decision>(PATH, 'decisions', filters, '');
  return (
    <Section
      title="Decisions"
      about="Every verdict, recorded before a byte went upstream. Neither requests nor answers are in it. Files exported here hold no signatures: for one that can be verified, use gatewayctl journal export."
      actions={<ExportLinks path={PATH} filters={filters} />}
      filters={bar}
      reading={decisions.query}
    >
      <DataTable
        label="Decisions"
        list={decisions}
        rowKey={({ id }) => id}
        minWidth={960}
        empty={empty('No decision yet', 'The first call, granted or refused, makes the first entry.')}
        columns={[
          { title: '#', cell: ({ sequence }) => sequence },
          { title: 'When (UTC)', cell: ({ at }) => <Time at={at} /> },
          { title: 'Subject', cell: ({ subject }) => legible(subject ?? '–') },
          { title: 'Resource', cell: ({ resource }) => legible(resource) },
          { title: 'Outcome', cell: (entry) => <Outcome of={entry.outcome} /> },
          {
            title: 'Reason',
            cell: ({ reason }) => (
              <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
                {reason === 'role' ? 'held by role' : reason}
              </Text>
            ),
          },
          {
            title: 'Session',
            cell: ({ session }) => (
              <Text size="xs" ff="monospace" miw={90} style={{ overflowWrap: 'anywhere' }}>
                {legible(session ?? '–')}
              </Text>
            ),
          },
          {
            title: 'Entry',
            align: 'actions',
            cell: (entry) => (
              <Details title={`Decision ${entry.sequence}`} entry={entry} about={<Explained decision={entry} />} />
            ),
          },
        ]}
      />
    </Section>
  );
}
