import { Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { MemberPlan } from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ReadFault } from '../../ui/fault.tsx';
import { InlineSelect } from '../../ui/parts.tsx';
import { Section } from '../../ui/section.tsx';
import { useProject } from './use-project.tsx';

/** The plan of each member of the project. */
export function MemberPlansPage() {
  const { project, choice, none } = useProject();
  return (
    <Section
      title={project === null ? 'Plans' : `Plans in ${project}`}
      about="A member without a plan is refused."
      actions={choice}
    >
      {project === null ? none : <MemberPlans key={project} project={project} />}
    </Section>
  );
}

function MemberPlans({ project }: { project: string }) {
  const path = `/api/projects/${encodeURIComponent(project)}/member-plans`;
  const members = useList<MemberPlan>(path, 'memberPlans', {}, '');
  const read = useRead<{ plans: readonly { id: string; name: string }[] }>(path);
  return (
    <>
      <ReadFault of={[read]} part="the plans to choose from" />
      <DataTable
        label={`Plans in ${project}`}
        list={members}
        usual="subject"
        rowKey={({ subject }) => subject}
        empty={<Text size="sm">Nobody belongs to this project yet.</Text>}
        columns={[
          { title: 'Member', sort: 'subject', cell: ({ subject }) => subject },
          {
            title: 'Plan',
            sort: 'plan',
            cell: (member) => <PlanChoice project={project} member={member} plans={read.data?.plans ?? []} />,
          },
        ]}
      />
    </>
  );
}

function PlanChoice(props: { project: string; member: MemberPlan; plans: readonly { id: string; name: string }[] }) {
  const { project, member, plans } = props;
  if (!member.registered)
    return (
      <Text size="xs" c="dimmed">
        not seen yet
      </Text>
    );
  return (
    <InlineSelect
      aria-label={`Plan of ${member.subject}`}
      w={220}
      clearable
      placeholder={member.plan === null ? 'no plan: refused' : 'has a plan'}
      choices={plans.map(({ id, name }) => ({ value: id, label: name }))}
      value={member.plan}
      change={(plan) => ({
        method: 'PUT',
        path: `/api/projects/${encodeURIComponent(project)}/members/${encodeURIComponent(member.subject)}/plan`,
        body: { plan },
        done: `Plan of ${member.subject} changed.`,
      })}
    />
  );
}
