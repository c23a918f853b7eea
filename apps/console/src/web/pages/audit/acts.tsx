import { legible } from '@gateway/contract/legible';
import { Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { AgentAct } from '../../api/objects.ts';
import { identifier } from '../../route/param-readers.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { ExportLinks } from '../../ui/export-links.tsx';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { inPart, useFilterBar } from './filter-bar.tsx';
import { Found } from './found.tsx';

const PATH = '/api/audit/agent-acts';

export function Acts() {
  const { filters, bar, empty } = useFilterBar({
    texts: { subject: 'Subject', session: 'Session', tool: 'Tool' },
    hidden: { id: identifier },
    period: true,
  });
  const asked = inPart(filters, ['subject']);
  const acts = useList<AgentAct>(PATH, 'agentActs', asked, '');
  return (
    <Section
      title="Agent acts"
      about="Tool calls of agents, as workstations report them: the target, who authorized it and how it ended; never parameters or content."
      actions={<ExportLinks path={PATH} filters={asked} />}
      filters={bar}
      reading={acts.query}
    >
      <DataTable
        label="Agent acts"
        list={acts}
        usual="-at"
        rowKey={({ id }) => id}
        minWidth={900}
        empty={empty('No act yet', 'Workstations report the acts of their agents in batches.')}
        columns={[
          { title: 'When (UTC)', sort: 'at', cell: ({ at }) => <Time at={at} /> },
          { title: 'Subject', sort: 'subject', cell: ({ subject }) => <Found name={subject} by="subject" /> },
          { title: 'Tool', sort: 'tool', cell: ({ tool }) => legible(tool) },
          {
            title: 'Target',
            sort: 'target',
            cell: ({ target }) => (
              <Text size="sm" ff="monospace" lineClamp={2}>
                {legible(target.value)}
              </Text>
            ),
          },
          { title: 'Authorized by', sort: 'authorizedBy', cell: ({ authorizedBy }) => authorizedBy },
          { title: 'Outcome', sort: 'outcome', cell: ({ outcome }) => <Outcome of={outcome} /> },
          {
            title: 'Entry',
            align: 'actions',
            cell: (act) => (
              <Details
                title={legible(`${act.tool}, ${act.session}`)}
                entry={act}
                link={`audit/agent-acts?id=${act.id}`}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}
