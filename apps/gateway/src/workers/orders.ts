import type { Level } from '@gateway/configuration';

/** Messages of the main process to a worker. A connection is sent with its handle. */
export type Order =
  | { readonly order: 'connection'; readonly number: number }
  | { readonly order: 'reload' }
  | { readonly order: 'stop' };

/** Messages of the worker to the main process. */
export type Notice =
  | { readonly notice: 'ready' }
  /** It accepts no more connections. */
  | { readonly notice: 'ending' }
  | { readonly notice: 'taken'; readonly number: number }
  | { readonly notice: 'line'; readonly line: string; readonly level: Level | undefined };

/** The argument that makes the program a worker: its number from 1 on, and the socket of the main process. */
const WORKER = /^--worker=(\d+):(.+)$/s;

export interface WorkerArgument {
  readonly number: number;
  readonly path: string;
}

export const workerWord = ({ number, path }: WorkerArgument): string => `--worker=${number}:${path}`;

/** Null where the arguments are those of a person: a worker has a channel to the process that started it. */
export function workerOf(args: readonly string[]): WorkerArgument | null {
  const [, number, path] = WORKER.exec(args[0] ?? '') ?? [];
  if (number === undefined || path === undefined || process.send === undefined) return null;
  return { number: Number(number), path };
}
