import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Watchdog {
  send(message: Message): void;
  /** Lets it end the remaining processes, if any, and resolves when it has exited. */
  dismiss(): Promise<void>;
}

/** Starts the process that cleans up should this one be killed. */
export function startWatchdog(): Watchdog {
  const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
    env: {},
  });
  child.stdin.on('error', () => undefined); // It was killed itself: nothing to report any more.
  const ended = once(child, 'exit');
  ended.catch(() => undefined);
  return {
    send: (message) => {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    dismiss: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/** One line to the watchdog: what to end, or to remove, should `npm start` be killed. */
export type Message =
  | { readonly what: 'process' | 'database' | 'ended'; readonly pid: number }
  | { readonly what: 'path'; readonly path: string };
