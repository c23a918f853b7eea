import type { Job, Jobs } from '../../agent/types.ts';
import { createKeptOutput, type KeptOutput } from './kept-output.ts';
import type { CommandEnd, RunningCommand } from './types.ts';

export interface BackgroundJob {
  readonly id: string;
  readonly command: string;
  readonly output: KeptOutput;
  /** Null while it runs. */
  readonly end: CommandEnd | null;
  stop(): Promise<void>;
}

/** Background commands of a session and its sub-agents. */
export interface BackgroundJobs extends Jobs {
  add(command: string, start: (output: (text: string) => void) => Promise<RunningCommand>): Promise<BackgroundJob>;
  find(id: string): BackgroundJob | null;
}

export function createJobs(): BackgroundJobs {
  const jobs = new Map<string, BackgroundJob>();
  let started = 0;
  return {
    async add(command, start) {
      started += 1;
      const id = String(started);
      const output = createKeptOutput();
      let end: CommandEnd | null = null;
      const running = await start((text) => output.add(text));
      const job: BackgroundJob = {
        id,
        command,
        output,
        get end() {
          return end;
        },
        stop: () => running.stop(),
      };
      jobs.set(id, job);
      const settled = async (): Promise<void> => {
        end = await running.ended.catch((error: unknown) => ({ code: null, signal: null, fault: String(error) }));
      };
      settled().catch(() => undefined);
      return job;
    },
    find: (id) => jobs.get(id.replace(/^job\s*/i, '')) ?? null,
    list: () =>
      [...jobs.values()].map(
        ({ id, command, end }): Job => ({
          id,
          command,
          state: end === null ? 'running' : 'ended',
          exitCode: end?.code ?? null,
        }),
      ),
    async stopAll() {
      await Promise.all([...jobs.values()].filter(({ end }) => end === null).map((job) => job.stop()));
    },
  };
}

/** How a command ended, for the model. */
export function endOf({ code, signal, fault }: CommandEnd): string {
  return fault ?? (code === null ? `ended by ${signal ?? 'a signal'}` : `exit code ${code}`);
}
