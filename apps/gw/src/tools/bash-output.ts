import type { Tool } from '../agent/types.ts';
import * as s from '../schema/index.ts';
import { defineTool } from './definition/define.ts';
import { type BackgroundJobs, endOf } from './shell/jobs.ts';

export const jobSchema = s.object({ job: s.stringOrNumber().describe('Identifier of the job, as Bash gave it.') });

export function noSuchJob(jobs: BackgroundJobs, id: string): { outcome: 'failed'; content: string } {
  const known = jobs.list().map((job) => job.id);
  return {
    outcome: 'failed',
    content: `There is no job ${id}. ${known.length === 0 ? 'No job was started.' : `The jobs are: ${known.join(', ')}.`}`,
  };
}

export function createBashOutput(jobs: BackgroundJobs): Tool {
  return defineTool({
    name: 'BashOutput',
    description: 'Gives the output of a background job since the last call, and whether it still runs.',
    schema: jobSchema,
    effect: 'none',
    target: ({ job }) => ({ kind: 'command', value: `job ${job}` }),
    async run({ job: id }) {
      const job = jobs.find(id);
      if (job === null) return noSuchJob(jobs, id);
      const text = job.output.take().replace(/\n$/, '');
      return {
        outcome: 'succeeded',
        content: `${text === '' ? '(no new output)' : text}\n[${job.end === null ? 'still running' : endOf(job.end)}]`,
      };
    },
  });
}
