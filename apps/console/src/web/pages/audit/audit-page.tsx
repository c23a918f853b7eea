import { legible } from '@gateway/contract/legible';
import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { ChangeCall } from '../../api/change.tsx';
import type {
  AdministrationAction,
  AgentAct,
  AgentCommand,
  AgentSession,
  SubjectRevocation,
} from '../../api/objects.ts';
import { identifier, whole } from '../../route/use-search-params.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Details } from '../../ui/details.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { count, duration } from '../../ui/numbers.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { Parts } from '../../ui/parts.tsx';
import { Time } from '../../ui/time.tsx';
import { liftOf, RevokeForm } from '../rights/revoke-form.tsx';
import { Decisions, Detections } from './decisions.tsx';
import { LogList, SESSION, SUBJECT, WHEN } from './log-list.tsx';
import { Verification } from './verification.tsx';

const revocationOf = ({ session, reason }: Revocation): ChangeCall => ({
  method: 'POST',
  path: `/api/audit/agent-sessions/${encodeURIComponent(session)}/revocation`,
  body: { reason },
  done: `Session ${legible(session)} revoked.`,
});

const PARTS = {
  decisions: { label: 'Decisions', part: Decisions },
  administration: { label: 'Administration', part: AdministrationActions },
  'agent-acts': { label: 'Agent acts', part: Acts },
  'agent-sessions': { label: 'Agent sessions', part: Sessions },
  'agent-commands': { label: 'Agent commands', part: Commands },
  detections: { label: 'Secrets found', part: Detections },
  'revoked-subjects': { label: 'Revoked subjects', part: SubjectRevocations },
  verification: { label: 'Verification', part: Verification },
};

/** The rest is for administrators: without the right to revoke a session or a subject, the lists are not readable either. */
const { decisions, administration, detections, verification, 'agent-acts': acts } = PARTS;
const AUDITORS = { decisions, administration, 'agent-acts': acts, detections, verification };

/** Decisions, administrative changes, and acts of agents. */
export const AuditPage = () => <Parts of="audit" label="What to read" parts={PARTS} />;
export const AuditorsAuditPage = () => <Parts of="audit" label="What to read" parts={AUDITORS} />;

function AdministrationActions() {
  return (
    <LogList<AdministrationAction>
      title="Administration actions"
      about="Every change by the console and by gatewayctl, with author, old value and new value. It is chained and sealed like the decisions. Files exported here have no signatures. For a file that can be verified, use gatewayctl journal export --chain actions."
      path="/api/administration-actions"
      member="administrationActions"
      filterBy={{
        texts: { author: 'Author', action: 'Action', target: 'Target' },
        hidden: { sequence: whole },
        period: true,
        parts: ['author', 'action', 'target'],
      }}
      isExported
      usual="-at"
      rowKey={({ id }) => id}
      minWidth={820}
      empty={['Nothing was changed yet', 'The first change in the console or by gatewayctl makes the first entry.']}
      columns={[
        { title: '#', cell: ({ sequence }) => sequence },
        WHEN,
        {
          title: 'Author',
          sort: 'author',
          cell: ({ author, component }) => (
            <Anchor size="sm" href={`#audit/administration?${new URLSearchParams({ author }).toString()}`}>
              {`${legible(author)} (${component})`}
            </Anchor>
          ),
        },
        { title: 'Action', sort: 'action', cell: ({ action }) => action },
        {
          title: 'Target',
          sort: 'target',
          cell: ({ target }) => (
            <Anchor size="sm" href={`#audit/administration?${new URLSearchParams({ target }).toString()}`}>
              {legible(target)}
            </Anchor>
          ),
        },
        {
          title: 'Entry',
          align: 'actions',
          cell: (entry) => (
            <Details
              title={`Action ${entry.sequence}`}
              entry={entry}
              link={`audit/administration?sequence=${entry.sequence}`}
              proof={`/api/audit/proof?chain=administration-actions&sequence=${entry.sequence}`}
            />
          ),
        },
      ]}
    />
  );
}

function RevokeSubject() {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button onClick={open}>Revoke a subject</Button>
      <RevokeForm opened={opened} close={close} />
    </>
  );
}

function SubjectRevocations() {
  return (
    <LogList<SubjectRevocation>
      title="Revoked subjects"
      about="A revoked subject is refused everywhere from its next call on, until the revocation is lifted."
      path="/api/subject-revocations"
      member="subjectRevocations"
      filterBy={{ texts: { subject: 'Subject' }, parts: ['subject'] }}
      actions={<RevokeSubject />}
      usual="-revokedAt"
      rowKey={({ id }) => id}
      minWidth={820}
      empty={['Nobody is revoked', 'A revoked subject is refused everywhere, with any roles and keys.']}
      columns={[
        SUBJECT,
        { title: 'Since (UTC)', sort: 'revokedAt', cell: ({ revokedAt }) => <Time at={revokedAt} /> },
        { title: 'Reason', sort: 'reason', cell: ({ reason }) => reason },
        { title: 'Author', sort: 'author', cell: ({ author }) => author },
        {
          title: 'State',
          sort: 'liftedAt',
          cell: ({ liftedAt }) => <Outcome of={liftedAt === null ? 'revoked' : 'lifted'} />,
        },
        {
          title: 'Actions',
          align: 'actions',
          cell: ({ id, subject, liftedAt }) =>
            liftedAt === null && (
              <Confirm
                label="Lift"
                color="indigo"
                title={`Lift the revocation of ${subject}`}
                consequence="This revocation ends with the next call. A disabled account, a missing role or plan still refuses."
                reason="Reason, kept in the log"
                change={(reason) => liftOf({ id, subject, reason })}
              />
            ),
        },
      ]}
    />
  );
}

interface Revocation {
  readonly session: string;
  readonly reason: string;
}

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
  return (
    <LogList<AgentSession>
      title="Agent sessions"
      about="A revoked session is refused from its next call on, with every sub-agent below it; its sandbox is destroyed."
      path="/api/agent-sessions"
      member="agentSessions"
      filterBy={{ texts: { session: 'Session', subject: 'Subject' }, parts: ['session', 'subject'] }}
      actions={<RevokeSession />}
      usual="-lastAt"
      rowKey={({ session }) => session}
      minWidth={820}
      empty={['No session yet', 'A session appears with its first act, or when it is revoked.']}
      columns={[
        SESSION,
        SUBJECT,
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
  );
}

export function Acts() {
  return (
    <LogList<AgentAct>
      title="Agent acts"
      about="Tool calls of agents, as workstations report them: the target, who authorized it and how it ended; never parameters or content."
      path="/api/audit/agent-acts"
      member="agentActs"
      filterBy={{
        texts: { subject: 'Subject', session: 'Session', tool: 'Tool' },
        hidden: { id: identifier },
        period: true,
        parts: ['subject'],
      }}
      isExported
      usual="-at"
      rowKey={({ id }) => id}
      minWidth={900}
      empty={['No act yet', 'Workstations report the acts of their agents in batches.']}
      columns={[
        WHEN,
        SUBJECT,
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
  return (
    <LogList<AgentCommand>
      title="Agent commands"
      about="Commands the gateway ran for agents: who, in which session, and how each ended; never its words nor its output."
      path="/api/agent-execution"
      member="commands"
      filterBy={{
        texts: { subject: 'Subject', session: 'Session' },
        hidden: { id: identifier },
        parts: ['subject', 'session'],
      }}
      usual="-startedAt"
      rowKey={({ id }) => id}
      minWidth={900}
      empty={['No command yet', 'The gateway runs commands where GATEWAY_AGENT_LAUNCHER names a launcher.']}
      columns={[
        { title: 'Since (UTC)', sort: 'startedAt', cell: ({ startedAt }) => <Time at={startedAt} /> },
        SUBJECT,
        SESSION,
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
  );
}
