import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { residentMemory } from '../peers/program.ts';
import type { Dependencies } from './measure.ts';

/** Resident memory in MB of a session with this many messages, each with one tool call. */
export async function memoryAfter(turns: number, line: readonly string[], around: Dependencies): Promise<number> {
  const [program = '', ...args] = line;
  const child = spawn(program, [...args, 'serve', '--port', '0'], {
    cwd: around.directory,
    env: around.variables,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [ready] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { url, token } = JSON.parse(ready) as { url: string; token: string };
    const ask = async (method: string, path: string, body?: object): Promise<{ readonly isProcessing?: boolean }> => {
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return (await answer.json()) as { isProcessing?: boolean };
    };
    for (let turn = 0; turn < turns; turn += 1) {
      await ask('POST', '/message', { message: `Question ${turn}` });
      while ((await ask('GET', '/state')).isProcessing === true) await pause(20);
    }
    const memory = residentMemory(child.pid ?? 0);
    await ask('POST', '/exit');
    await once(child, 'close');
    return memory;
  } finally {
    child.kill('SIGKILL');
  }
}
