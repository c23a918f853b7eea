import type { Job, Jobs } from '../agent/types/index.ts';

/**
 * How much of a result the model gets, in characters (UTF-16 units) unless a name says otherwise. A cut result says what
 * is missing and how to get it. `site/pages/developer/gw-tools.md` lists the same numbers.
 */
export const READ_LINES = 2000;
export const READ_CHARACTERS = 60_000;
/** Of one line, in Read and Search. */
export const LINE_CHARACTERS = 2000;
/** A larger file is not read at all. */
export const FILE_BYTES = 64 * 1024 * 1024;
export const LIST_ENTRIES = 1000;
export const SEARCH_LINES = 250;
export const SEARCH_LINE_CHARACTERS = 400;
export const COMMAND_CHARACTERS = 30_000;
export const FETCH_BYTES = 5 * 1024 * 1024;
export const FETCH_CHARACTERS = 60_000;

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

const HEAD = Math.floor(COMMAND_CHARACTERS / 3);
const TAIL = COMMAND_CHARACTERS - HEAD;

/** The beginning and the end of an output, in bounded memory. */
interface KeptOutput {
  add(text: string): void;
  /** The output since the last call, or all of it; omissions are marked. */
  take(): string;
}

export function createKeptOutput(): KeptOutput {
  let head = '';
  let tail = '';
  let left = 0;
  return {
    add(text) {
      const room = HEAD - head.length;
      head += text.slice(0, Math.max(0, room));
      tail += text.slice(Math.max(0, room));
      if (tail.length > 2 * TAIL) drop();
    },
    take() {
      if (tail.length > TAIL) drop();
      const cut =
        left === 0
          ? ''
          : `\n[${left} characters were left out here: run it again and filter with grep, head or tail, or write the output to a file and Read it]\n`;
      const text = wellFormed(head + cut + tail);
      head = '';
      tail = '';
      left = 0;
      return text;
    },
  };

  function drop(): void {
    left += tail.length - TAIL;
    tail = tail.slice(-TAIL);
  }
}

/** Without colours and other control sequences, and without halves of characters. */
function wellFormed(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g, '').toWellFormed();
}

/** Files and folders that exist, absolute. */
export interface ExcludedPaths {
  readonly unreadable: readonly string[];
  readonly unwritable: readonly string[];
}

export interface CommandRequest {
  readonly command: string;
  readonly session: string;
  readonly parentSession?: string;
  /** Where the command runs. */
  readonly directory: string;
  /** The command must not be able to write. */
  readonly readOnly: boolean;
  /** What the rules exclude: absolute paths of files and folders that exist. A sandbox hides them or lets nothing write there. */
  readonly excluded?: ExcludedPaths;
  /** It keeps running when its call is over. */
  readonly background?: true;
}

export interface CommandEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** It could not be run at all, or something else than the command ended it: a sentence. */
  readonly fault?: string;
}

export interface RunningCommand {
  readonly ended: Promise<CommandEnd>;
  /** Ends it and everything it started. Resolves once it has exited. */
  stop(): Promise<void>;
}

/** The command was not started, in the words of the refusal. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** Where commands run: on this machine, or in the gateway's agent execution. */
export interface CommandRunner {
  /** Follows "ran on" and "runs on"; null for this machine, which is not mentioned. */
  readonly location: string | null;
  /** @throws CommandRefused */
  start(request: CommandRequest, output: (text: string, isError?: boolean) => void): Promise<RunningCommand>;
}
