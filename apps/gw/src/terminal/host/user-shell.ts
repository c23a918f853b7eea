import { spawn } from 'node:child_process';

/** What a command may take to end after SIGTERM. */
const GRACE_MS = 2000;

/**
 * Runs a command of the user, with the user's own environment and shell, in a process group of its own. It cannot read
 * the keyboard, which belongs to the session.
 */
export function runShell(
  { command, cwd, shell }: { readonly command: string; readonly cwd: string; readonly shell: string },
  output: (chunk: string) => void,
  signal: AbortSignal,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ['-c', command], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const end = (name: NodeJS.Signals): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, name);
      } catch {
        // It has ended already.
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      end('SIGTERM');
      timer = setTimeout(() => end('SIGKILL'), GRACE_MS);
    };
    signal.addEventListener('abort', stop, { once: true });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', output);
    const settle = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code) => {
      settle();
      resolve(code);
    });
  });
}
