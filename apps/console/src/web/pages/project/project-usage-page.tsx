import { listPath } from '../../api/list.ts';
import type { UsageSummary } from '../../api/objects.ts';
import { useRead } from '../../api/request.ts';
import { Fault } from '../../ui/fault.tsx';
import { Section } from '../../ui/section.tsx';
import { usePeriod } from '../usage/period.tsx';
import { Summary, SummaryLoading } from '../usage/summary.tsx';
import { useProject } from './use-project.tsx';

/** What the members of the project consumed together. */
export function ProjectUsagePage() {
  const { project, choice, none } = useProject();
  const { period, choice: periodChoice } = usePeriod();
  const path = project === null ? null : listPath(`/api/projects/${encodeURIComponent(project)}/usage`, { ...period });
  const { data, error, isLoading, refetch } = useRead<UsageSummary>(path);
  return (
    <Section
      title={project === null ? 'Usage' : `Usage of ${project}`}
      about="Sums over the members of the project, by days and hours in UTC. The current month counts at current prices; closed months keep the prices they ended with."
      actions={
        <>
          {choice}
          {project !== null && periodChoice}
        </>
      }
    >
      {none}
      <Fault error={error} retry={refetch} />
      {isLoading && <SummaryLoading />}
      {data !== undefined && <Summary summary={data} period={period} />}
    </Section>
  );
}
