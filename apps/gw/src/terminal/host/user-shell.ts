import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { ShellEnd } from '../device/ports.ts';

/** What a command may take to end after SIGTERM. */
const GRACE_MS = 2000;
/** How long output may still come after the shell has exited. */
const LATE_MS = 100;

/**
 * Runs a command of the user, with the user's own environment and shell, in a process group of its own. It cannot read
 * the keyboard, which belongs to the session. As in a shell, a process in the background (`&`) is not waited for.
 */
export function runShell(
  { command, cwd, shell }: { readonly command: string; readonly cwd: string; readonly shell: string },
  output: (chunk: string) => void,
  signal: AbortSignal,
): Promise<ShellEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ['-c', command], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const streams = [child.stdout, child.stderr] as const;
    const end = (name: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name);
      } catch {
        // It has ended already.
      }
    };
    let killing: NodeJS.Timeout | undefined;
    let leaving: NodeJS.Timeout | undefined;
    const stop = (): void => {
      clearTimeout(leaving);
      end('SIGTERM');
      killing = setTimeout(() => {
        end('SIGKILL');
        // A process in another group may hold the output open.
        leaving = setTimeout(() => leave(null), LATE_MS);
      }, GRACE_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    for (const stream of streams) stream.setEncoding('utf8').on('data', output);
    const settle = (): void => {
      clearTimeout(killing);
      clearTimeout(leaving);
      signal.removeEventListener('abort', stop);
    };
    /** Its output is read, or it would end at the next write, but it is not shown and keeps nothing alive. */
    const leave = (code: number | null): void => {
      settle();
      for (const stream of streams) {
        stream.off('data', output).resume();
        if (stream instanceof Socket) stream.unref();
      }
      resolve({ code, continues: true });
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('exit', (code) => {
      if (!signal.aborted) leaving = setTimeout(() => leave(code), LATE_MS);
    });
    child.once('close', (code) => {
      settle();
      resolve({ code, continues: false });
    });
  });
}
