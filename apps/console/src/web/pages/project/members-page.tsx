import { Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { Member } from '../../api/objects.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { InlineSwitch } from '../../ui/parts.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { useProject } from './use-project.tsx';

/** What no switch of a project undoes. */
const REVOKED = 'revoked: the whole instance refuses it';
const DISABLED = 'disabled by an instance administrator; only an instance administrator can enable it';

/** The members of the project, and whether each may call. */
export function MembersPage() {
  const { project, choice, none } = useProject();
  return (
    <Section
      title={project === null ? 'Members' : `Members of ${project}`}
      about="A disabled member is refused from the next call on. Who belongs to a project is decided by the instance's administration."
      actions={choice}
    >
      {project === null ? none : <Members key={project} project={project} />}
    </Section>
  );
}

function Members({ project }: { project: string }) {
  const members = useList<Member>(`/api/projects/${encodeURIComponent(project)}/members`, 'members', {}, '');
  return (
    <DataTable
      label={`Members of ${project}`}
      list={members}
      usual="subject"
      rowKey={({ subject }) => subject}
      empty={<Text size="sm">Nobody belongs to this project yet.</Text>}
      columns={[
        {
          title: 'Member',
          sort: 'subject',
          cell: ({ subject, displayName }) => (displayName === null ? subject : `${displayName} (${subject})`),
        },
        { title: 'Since (UTC)', sort: 'addedAt', cell: ({ addedAt }) => <Time at={addedAt} /> },
        { title: 'Added by', sort: 'addedBy', cell: ({ addedBy }) => addedBy },
        { title: 'Enabled', sort: 'enabled', cell: (member) => <EnabledSwitch member={member} /> },
      ]}
    />
  );
}

function EnabledSwitch({ member }: { member: Member }) {
  const { project, subject, enabled, disabledBy, registered, revoked } = member;
  const why = revoked ? REVOKED : disabledBy === 'instance' ? DISABLED : null;
  if (!registered)
    return (
      <Text size="xs" c="dimmed">
        {revoked ? REVOKED : 'not seen yet'}
      </Text>
    );
  return (
    <InlineSwitch
      aria-label={`${subject} is enabled`}
      checked={enabled}
      disabled={disabledBy === 'instance'}
      {...(why === null ? {} : { description: why })}
      change={() => ({
        method: 'PATCH',
        path: `/api/projects/${encodeURIComponent(project)}/members/${encodeURIComponent(subject)}`,
        body: { enabled: !enabled },
        done: enabled
          ? `${subject} is refused from the next call on.`
          : revoked
            ? `The account of ${subject} is enabled, but ${subject} is still refused: the whole instance revoked it.`
            : `The account of ${subject} is enabled.`,
        undo: {
          method: 'PATCH',
          path: `/api/projects/${encodeURIComponent(project)}/members/${encodeURIComponent(subject)}`,
          body: { enabled },
          done: `The account of ${subject} is ${enabled ? 'enabled' : 'disabled'} again.`,
        },
      })}
    />
  );
}
