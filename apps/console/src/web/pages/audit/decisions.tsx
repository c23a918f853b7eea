import { Button, Group, Stack, Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { Decision } from '../../api/objects.ts';
import { whole } from '../../route/param-readers.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { ExportLinks } from '../../ui/export-links.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { Explained } from './explained.tsx';
import { inPart, useFilterBar } from './filter-bar.tsx';
import { Found } from './found.tsx';
import { Upstream } from './upstream.tsx';

const PATH = '/api/audit/decisions';

/** The beginning of the day, UTC, as the address has it. */
const today = (): string => `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;

/** What auditors ask for most. */
function Presets() {
  const links = {
    'Refused today': `#audit/decisions?${new URLSearchParams({ outcome: 'refused', from: today() })}`,
    Today: `#audit/decisions?${new URLSearchParams({ from: today() })}`,
    'Secrets found': '#audit/detections',
    'Who changed what': '#audit/administration',
  };
  return (
    <Group gap="xs" role="group" aria-label="Presets">
      {Object.entries(links).map(([label, href]) => (
        <Button key={label} component="a" href={href} size="compact-sm" variant="light">
          {label}
        </Button>
      ))}
    </Group>
  );
}

export function Decisions() {
  const { filters, bar, empty } = useFilterBar({
    texts: {
      subject: 'Subject',
      resource: 'Resource',
      reason: 'Reason',
      session: 'Session',
      requestId: 'Request id',
    },
    hidden: { sequence: whole },
    choices: { outcome: { label: 'Outcome', none: 'Any outcome', of: ['granted', 'refused'] } },
    period: true,
  });
  const asked = inPart(filters, ['subject', 'resource']);
  const decisions = useList<Decision>(PATH, 'decisions', asked, '');
  return (
    <Section
      title="Decisions"
      about="Every decision, recorded before a byte goes to the provider. Requests and answers are not in it. Files exported here have no signatures. For a file that can be verified, use gatewayctl journal export."
      actions={<ExportLinks path={PATH} filters={asked} />}
      filters={
        <Stack gap="xs">
          <Presets />
          {bar}
        </Stack>
      }
      reading={decisions.query}
    >
      <DataTable
        label="Decisions"
        list={decisions}
        usual="-at"
        rowKey={({ id }) => id}
        minWidth={960}
        empty={empty('No decision yet', 'The first call, granted or refused, makes the first entry.')}
        columns={[
          { title: '#', cell: ({ sequence }) => sequence },
          { title: 'When (UTC)', sort: 'at', cell: ({ at }) => <Time at={at} /> },
          { title: 'Subject', sort: 'subject', cell: ({ subject: name }) => <Found name={name} by="subject" /> },
          { title: 'Resource', sort: 'resource', cell: ({ resource: name }) => <Found name={name} by="resource" /> },
          { title: 'Outcome', sort: 'outcome', cell: (entry) => <Outcome of={entry.outcome} /> },
          {
            title: 'Reason',
            sort: 'reason',
            cell: ({ reason }) => (
              <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
                {reason === 'role' ? 'by role' : reason}
              </Text>
            ),
          },
          { title: 'Session', sort: 'session', cell: ({ session }) => <Found name={session} by="session" /> },
          {
            title: 'Entry',
            align: 'actions',
            cell: (entry) => (
              <Details
                title={`Decision ${entry.sequence}`}
                entry={entry}
                link={`audit/decisions?sequence=${entry.sequence}`}
                proof={`/api/audit/proof?chain=decisions&sequence=${entry.sequence}`}
                about={
                  <>
                    <Explained decision={entry} />
                    <Upstream decision={entry} />
                  </>
                }
              />
            ),
          },
        ]}
      />
    </Section>
  );
}
