import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SANDBOX_USER } from './run.ts';

/** The launcher in a process of its own. */
export function startAlone(workdir: string, script: string, before = ''): ChildProcess {
  const program = fileURLToPath(new URL('./launch-alone.ts', import.meta.url));
  return spawn(
    'sh',
    ['-c', `${before}exec "$@"`, 'sh', process.execPath, program, workdir, String(SANDBOX_USER), script],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
}

/** Its output, once it has ended. */
export async function readAll(child: ChildProcess): Promise<{ events: string }> {
  let events = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    events += text;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return { events };
}
