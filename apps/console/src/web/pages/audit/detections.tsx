import { Select, Text } from '@mantine/core';
import { useState } from 'react';
import { useList } from '../../api/list.ts';
import type { Detection } from '../../api/objects.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { ExportLinks } from '../../ui/export-links.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { useFilterBar } from './filter-bar.tsx';

const PATH = '/api/audit/detections';

export function Detections() {
  const [place, setPlace] = useState<string | null>(null);
  const { filters: typed, bar } = useFilterBar(
    { kind: 'Kind' },
    {
      period: true,
      more: (
        <Select
          size="xs"
          w={150}
          clearable
          placeholder="Any place"
          aria-label="Place"
          data={['request', 'answer', 'output']}
          value={place}
          onChange={setPlace}
        />
      ),
    },
  );
  const filters = { ...typed, place: place ?? undefined };
  const detections = useList<Detection>(PATH, 'detections', filters);
  return (
    <Section
      title="Secrets found"
      about="What looked like a secret in requests, answers and command output. The value is kept nowhere; equal digests are equal values."
      actions={<ExportLinks path={PATH} filters={filters} />}
    >
      {bar}
      <DataTable
        label="Secrets found"
        list={detections}
        rowKey={({ id }) => id}
        minWidth={900}
        empty={<Text size="sm">Nothing that looks like a secret was found.</Text>}
        columns={[
          { title: 'When (UTC)', cell: ({ at }) => <Time at={at} /> },
          { title: 'Subject', cell: ({ subject }) => <Text size="sm">{subject ?? '–'}</Text> },
          { title: 'Resource', cell: ({ resource }) => <Text size="sm">{resource ?? '–'}</Text> },
          { title: 'Kind', cell: ({ kind }) => <Text size="sm">{kind}</Text> },
          {
            title: 'Where',
            cell: ({ place: found, pointer }) => (
              <>
                <Text size="sm">{found}</Text>
                {pointer !== null && (
                  <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                    {pointer}
                  </Text>
                )}
              </>
            ),
          },
          { title: 'Response', cell: ({ response }) => <Outcome of={response} /> },
          {
            title: 'Entry',
            align: 'actions',
            cell: (entry) => <Details title={`${entry.kind}, ${entry.id.slice(-6)}`} entry={entry} />,
          },
        ]}
      />
    </Section>
  );
}
