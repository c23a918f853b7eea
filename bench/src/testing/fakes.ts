import type { Job, Outcome } from '../load/job.ts';
import type { Load } from '../load/load.ts';
import type { Peer } from '../peers/peer.ts';

/** A peer without a process, known by its port. */
export function peerAt(port: number, name = `peer ${port}`): Peer {
  return {
    name,
    target: { port, path: '/v1', headers: {} },
    pid: null,
    postmaster: null,
    stop: () => Promise.resolve(),
  };
}

export const outcomeOf = (more: Partial<Outcome> = {}): Outcome => ({
  callsPerSecond: 1000,
  p50: 1,
  p99: 2,
  failures: 0,
  calls: 100,
  eventDelay: null,
  ...more,
});

/** A load that keeps its jobs and answers what it is asked. */
export function fakeLoad(answer: (job: Job, number: number) => Partial<Outcome> = () => ({})): Load & {
  readonly jobs: readonly Job[];
} {
  const jobs: Job[] = [];
  return {
    jobs,
    run: (job) => {
      jobs.push(job);
      return Promise.resolve(outcomeOf(answer(job, jobs.length)));
    },
    stop: () => undefined,
  };
}
