import type { Tool } from '../agent/types.ts';
import { jobSchema, noSuchJob } from './bash-output.ts';
import { defineTool } from './definition/define.ts';
import { type BackgroundJobs, endOf } from './shell/jobs.ts';

export function createBashStop(jobs: BackgroundJobs): Tool {
  return defineTool({
    name: 'BashStop',
    description: 'Ends a background job and everything it started.',
    schema: jobSchema,
    effect: 'none',
    target: ({ job }) => ({ kind: 'command', value: `job ${job}` }),
    async run({ job: id }) {
      const job = jobs.find(id);
      if (job === null) return noSuchJob(jobs, id);
      if (job.end !== null)
        return { outcome: 'succeeded', content: `Job ${job.id} had ended already (${endOf(job.end)}).` };
      await job.stop();
      return { outcome: 'succeeded', content: `Job ${job.id} was stopped.` };
    },
  });
}
