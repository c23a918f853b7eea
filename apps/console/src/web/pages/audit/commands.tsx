import { legible } from '@gateway/contract/legible';
import { useList } from '../../api/list.ts';
import type { AgentCommand } from '../../api/objects.ts';
import { identifier } from '../../route/param-readers.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { duration } from '../../ui/numbers.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { inPart, useFilterBar } from './filter-bar.tsx';
import { Found } from './found.tsx';

/** How a command ended, in one word: the gateway's reason to end it, else its own result. */
function endOf({ endedAt, cause, fault, code, signal }: AgentCommand): string {
  if (endedAt === null) return 'running';
  if (cause !== null || fault !== null) return cause ?? 'failed';
  if (code === 0) return 'succeeded';
  return code === null ? (signal ?? 'failed') : `exit ${code}`;
}

/** The commands that the gateway ran for agents. */
export function Commands() {
  const { filters, bar, empty } = useFilterBar({
    texts: { subject: 'Subject', session: 'Session' },
    hidden: { id: identifier },
  });
  const commands = useList<AgentCommand>(
    '/api/agent-execution',
    'commands',
    inPart(filters, ['subject', 'session']),
    '',
  );
  return (
    <Section
      title="Agent commands"
      about="Commands the gateway ran for agents: who, in which session, and how each ended; never its words nor its output."
      filters={bar}
      reading={commands.query}
    >
      <DataTable
        label="Agent commands"
        list={commands}
        usual="-startedAt"
        rowKey={({ id }) => id}
        minWidth={900}
        empty={empty('No command yet', 'The gateway runs commands where GATEWAY_AGENT_LAUNCHER names a launcher.')}
        columns={[
          { title: 'Since (UTC)', sort: 'startedAt', cell: ({ startedAt }) => <Time at={startedAt} /> },
          { title: 'Subject', sort: 'subject', cell: ({ subject }) => <Found name={subject} by="subject" /> },
          {
            title: 'Session',
            sort: 'session',
            cell: ({ session }) => <Found name={session} by="session" />,
          },
          { title: 'Interpreter', sort: 'interpreter', cell: ({ interpreter }) => legible(interpreter) },
          { title: 'End', cell: (command) => <Outcome of={endOf(command)} /> },
          { title: 'Took', sort: 'durationMs', align: 'right', cell: ({ durationMs }) => duration(durationMs) },
          {
            title: 'Entry',
            align: 'actions',
            cell: (command) => (
              <Details
                title={`Command ${command.id.slice(-6)}`}
                entry={command}
                link={`audit/agent-commands?id=${command.id}`}
              />
            ),
          },
        ]}
      />
    </Section>
  );
}
