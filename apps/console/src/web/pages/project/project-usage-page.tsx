import { useQuery } from '@tanstack/react-query';
import type { UsageSummary } from '../../api/objects.ts';
import { type ApiError, request } from '../../api/request.ts';
import { Fault } from '../../ui/fault.tsx';
import { Section } from '../../ui/section.tsx';
import { Summary } from '../usage/summary.tsx';
import { useProject } from './use-project.tsx';

/** What the members of the project consumed together. */
export function ProjectUsagePage() {
  const { project, choice } = useProject();
  const path = project === null ? null : `/api/projects/${encodeURIComponent(project)}/usage`;
  const { data, error, refetch } = useQuery<UsageSummary, ApiError>({
    queryKey: [path],
    enabled: path !== null,
    queryFn: ({ signal }) => request('GET', path ?? '', undefined, signal),
  });
  return (
    <Section
      title={project === null ? 'Usage' : `Usage of ${project}`}
      about="Sums over the members of the project, at current prices."
      actions={choice}
    >
      <Fault error={error} retry={refetch} />
      {data !== undefined && <Summary summary={data} />}
    </Section>
  );
}
