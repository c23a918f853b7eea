import { legible } from '@gateway/contract/legible';
import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { ChangeCall } from '../../api/change.ts';
import { useList } from '../../api/list.ts';
import type { AgentAct, AgentCommand, AgentSession } from '../../api/objects.ts';
import { identifier } from '../../route/use-search-params.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { count, duration } from '../../ui/numbers.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { ExportLinks } from '../../ui/search-field.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { Found, inPart, useFilterBar } from './filter-bar.tsx';

interface Revocation {
  readonly session: string;
  readonly reason: string;
}

const revocationOf = ({ session, reason }: Revocation): ChangeCall => ({
  method: 'POST',
  path: `/api/audit/agent-sessions/${encodeURIComponent(session)}/revocation`,
  body: { reason },
  done: `Session ${legible(session)} revoked.`,
});

/** Revokes a session by its name: one that runs without acts is in no list, but calls and commands name it. */
function RevokeSession() {
  const [opened, { open, close }] = useDisclosure(false);
  const form = useForm({ initialValues: { session: '', reason: '' } });
  return (
    <>
      <Button onClick={open}>Revoke a session</Button>
      <FormModal
        opened={opened}
        close={close}
        title="Revoke a session"
        submit="Revoke"
        color="red.9"
        form={form}
        change={revocationOf}
      >
        <TextInput
          label="Session"
          description="The name in its calls and commands. The session and its sub-agents are refused immediately. This cannot be undone."
          required
          data-autofocus
          {...form.getInputProps('session')}
        />
        <TextInput label="Reason, kept in the log" required maxLength={300} {...form.getInputProps('reason')} />
      </FormModal>
    </>
  );
}

export function Sessions() {
  const { filters, bar, empty } = useFilterBar({ texts: { session: 'Session', subject: 'Subject' } });
  const sessions = useList<AgentSession>(
    '/api/agent-sessions',
    'agentSessions',
    inPart(filters, ['session', 'subject']),
    '',
  );
  return (
    <Section
      title="Agent sessions"
      about="A revoked session is refused from its next call on, with every sub-agent below it; its sandbox is destroyed."
      actions={<RevokeSession />}
      filters={bar}
      reading={sessions.query}
    >
      <DataTable
        label="Agent sessions"
        list={sessions}
        usual="-lastAt"
        rowKey={({ session }) => session}
        minWidth={820}
        empty={empty('No session yet', 'A session appears with its first act, or when it is revoked.')}
        columns={[
          {
            title: 'Session',
            sort: 'session',
            cell: ({ session }) => <Found name={session} by="session" />,
          },
          { title: 'Subject', sort: 'subject', cell: ({ subject }) => <Found name={subject} by="subject" /> },
          { title: 'Acts', sort: 'acts', align: 'right', cell: ({ acts }) => count(acts) },
          { title: 'Latest (UTC)', sort: 'lastAt', cell: ({ lastAt }) => <Time at={lastAt} /> },
          { title: 'State', cell: ({ standing }) => <Outcome of={standing} /> },
          {
            title: 'Actions',
            align: 'actions',
            cell: ({ session, standing }) =>
              standing === 'in force' && (
                <Confirm
                  label="Revoke"
                  title={`Revoke session ${legible(session)}`}
                  consequence="The session and its sub-agents are refused immediately, and its running commands are stopped. This cannot be undone."
                  reason="Reason, kept in the log"
                  change={(reason) => revocationOf({ session, reason })}
                />
              ),
          },
        ]}
      />
    </Section>
  );
}

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
