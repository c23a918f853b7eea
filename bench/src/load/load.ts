import { type ChildProcess, fork } from 'node:child_process';
import type { Job, Outcome } from './job.ts';

/** The load program behind its channel. One job at a time. */
export interface Load {
  run(job: Job): Promise<Outcome>;
  stop(): void;
}

export function startLoad(): Load {
  const child: ChildProcess = fork(new URL('program.ts', import.meta.url));
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const ended = (code: number | null): void => reject(new Error(`the load program ended with ${code}`));
        child.once('exit', ended);
        child.once('message', (outcome: Outcome) => {
          child.off('exit', ended);
          resolve(outcome);
        });
        child.send(job);
      }),
    stop: () => child.kill(),
  };
}
