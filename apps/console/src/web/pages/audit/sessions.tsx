import { legible } from '@gateway/contract/legible';
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import type { ChangeCall } from '../../api/change.ts';
import { useList } from '../../api/list.ts';
import type { AgentSession } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormModal } from '../../ui/form-modal.tsx';
import { count } from '../../ui/numbers.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { inPart, useFilterBar } from './filter-bar.tsx';
import { Found } from './found.tsx';

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
