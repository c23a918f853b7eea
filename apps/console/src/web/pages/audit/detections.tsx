import { legible } from '@gateway/contract/legible';
import { Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { Detection } from '../../api/objects.ts';
import { identifier } from '../../route/param-readers.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { ExportLinks } from '../../ui/export-links.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { inPart, useFilterBar } from './filter-bar.tsx';
import { Found } from './found.tsx';

const PATH = '/api/audit/detections';

export function Detections() {
  const { filters, bar, empty } = useFilterBar({
    texts: { kind: 'Kind' },
    choices: { place: { label: 'Place', none: 'Any place', of: ['request', 'answer', 'output'] } },
    hidden: { id: identifier },
    period: true,
  });
  const asked = inPart(filters, ['kind']);
  const detections = useList<Detection>(PATH, 'detections', asked, '');
  return (
    <Section
      title="Secrets found"
      about="Secrets detected in requests, answers and command output. The value is not stored; equal digests are equal values."
      actions={<ExportLinks path={PATH} filters={asked} />}
      filters={bar}
      reading={detections.query}
    >
      <DataTable
        label="Secrets found"
        list={detections}
        usual="-at"
        rowKey={({ id }) => id}
        minWidth={900}
        empty={empty('Nothing found', 'Possible secrets in calls appear here, each with the place where it was found.')}
        columns={[
          { title: 'When (UTC)', sort: 'at', cell: ({ at }) => <Time at={at} /> },
          { title: 'Subject', sort: 'subject', cell: ({ subject }) => <Found name={subject} by="subject" /> },
          { title: 'Resource', sort: 'resource', cell: ({ resource }) => <Found name={resource} by="resource" /> },
          { title: 'Kind', sort: 'kind', cell: ({ kind }) => kind },
          {
            title: 'Where',
            sort: 'place',
            cell: ({ place: found, pointer }) => (
              <>
                <Text size="sm">{found}</Text>
                {pointer !== null && (
                  <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                    {legible(pointer)}
                  </Text>
                )}
              </>
            ),
          },
          { title: 'Response', sort: 'response', cell: ({ response }) => <Outcome of={response} /> },
          {
            title: 'Entry',
            align: 'actions',
            cell: (entry) => (
              <Details
                title={`${entry.kind}, ${entry.id.slice(-6)}`}
                entry={entry}
                link={`audit/detections?id=${entry.id}`}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}
