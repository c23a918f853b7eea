import { isUnavailability } from '@gateway/database/client/unavailable';
import { addUpUsage } from '@gateway/domain/usage/console';
import type { Services } from './services.ts';

/** What a job can use. */
export type JobServices = Pick<Services, 'database' | 'signer'>;

/** Work that nobody asks for by a request, done at the start and again and again. */
export interface BackgroundJob {
  /** Its purpose, for error messages: `adding up usage`. */
  readonly name: string;
  /** Milliseconds between its end and its next beginning. */
  readonly every: number;
  readonly run: (at: JobServices) => Promise<void>;
}

/** Moves usage into the sums of days and months. Both builds need it: without it the table of what is in no sum yet only grows. */
export const usageSumsJob: BackgroundJob = {
  name: 'adding up usage',
  every: 60_000,
  run: ({ database }) => addUpUsage(database),
};

/** Milliseconds until the next attempt while the database is unavailable. */
const RETRY_MS = 5000;

/**
 * Does backgroundJobs beside the requests until it is stopped. A database that is away is no complaint: the next round finds it again.
 * @returns what stops them, once the one in progress has ended.
 */
export function startBackgroundJobs(
  backgroundJobs: readonly BackgroundJob[],
  services: JobServices,
  complain: (line: string) => void,
): () => Promise<void> {
  const timers = new Map<BackgroundJob, NodeJS.Timeout>();
  const rounds = new Map<BackgroundJob, Promise<void>>();
  let stopped = false;
  async function round(job: BackgroundJob): Promise<void> {
    let next = job.every;
    try {
      await job.run(services);
    } catch (error) {
      if (isUnavailability(error)) next = Math.min(next, RETRY_MS);
      else complain(`${job.name} failed: ${String(error)}`);
    }
    if (!stopped) timers.set(job, setTimeout(begin, next, job).unref());
  }
  function begin(job: BackgroundJob): void {
    rounds.set(job, round(job));
  }
  for (const job of backgroundJobs) begin(job);
  return async () => {
    stopped = true;
    for (const timer of timers.values()) clearTimeout(timer);
    await Promise.all(rounds.values());
  };
}
