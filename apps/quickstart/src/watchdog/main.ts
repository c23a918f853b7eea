// Outlives `npm start` by a moment. `npm start` registers every process on standard input, one line each. When that closes
// without a farewell, `npm start` was killed, and the rest is ended and removed here. A process group of its own protects it
// from signals to that of `npm start`.
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from './watchdog.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

const processes = new Map<number, 'process' | 'database'>();
const paths = new Set<string>();

function signal(pid: number, kind: 'process' | 'database', name: NodeJS.Signals | 0): boolean {
  try {
    // A component leads a process group; PostgreSQL ends its children itself.
    return process.kill(kind === 'process' ? -pid : pid, name);
  } catch {
    return false;
  }
}

async function end(kind: 'process' | 'database', gently: NodeJS.Signals): Promise<void> {
  const pids = [...processes].filter(([, what]) => what === kind).map(([pid]) => pid);
  for (const pid of pids) {
    signal(pid, kind, 'SIGCONT');
    signal(pid, kind, gently);
  }
  for (let round = 0; round < 100 && pids.some((pid) => signal(pid, kind, 0)); round += 1) await pause(50);
  for (const pid of pids) signal(pid, kind, kind === 'database' ? 'SIGQUIT' : 'SIGKILL');
  for (let round = 0; round < 40 && pids.some((pid) => signal(pid, kind, 0)); round += 1) await pause(50);
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message;
  if (message.what === 'path') paths.add(message.path);
  else if (message.what === 'ended') processes.delete(message.pid);
  else processes.set(message.pid, message.what);
}
await end('process', 'SIGTERM');
await end('database', 'SIGINT');
for (const path of paths) rmSync(path, { recursive: true, force: true });
