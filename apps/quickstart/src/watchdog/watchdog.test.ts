import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;
let left: ChildProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchdog-test-'));
  left = [];
});

afterEach(() => {
  for (const child of left) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function message(program: string): ChildProcess {
  const child = spawn(process.execPath, ['-e', program], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  left.push(child);
  return child;
}

/** A process that has a watchdog watch over `messages` and a temporary folder, then waits. */
async function master(messages: readonly object[]): Promise<ChildProcess> {
  const file = join(folder, 'master.ts');
  writeFileSync(
    file,
    `import { startWatchdog } from ${JSON.stringify(new URL('watchdog.ts', import.meta.url).href)};
     const watchdog = startWatchdog();
     for (const message of ${JSON.stringify(messages)}) watchdog.send(message);
     process.on('SIGTERM', () => { watchdog.dismiss().then(() => process.exit(0)); });
     setInterval(() => {}, 1000);
     console.log('announced');`,
  );
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  left.push(child);
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

function alive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

it('ends running processes and removes temporary files when its master is killed', async () => {
  const service = message("console.log('up'); setInterval(() => {}, 1000)");
  if (service.stdout) await once(service.stdout, 'data');
  const temporary = mkdtempSync(join(folder, 'temporary-'));
  writeFileSync(join(temporary, 'file'), '');
  const killed = await master([
    { what: 'process', pid: service.pid },
    { what: 'path', path: temporary },
  ]);
  killed.kill('SIGKILL');
  await expect.poll(() => alive(service)).toBe(false);
  expect(service.signalCode).toBe('SIGTERM');
  await expect.poll(() => existsSync(temporary)).toBe(false);
});

it('makes one end that does not listen', async () => {
  const stubborn = message("process.on('SIGTERM', () => {}); console.log('up'); setInterval(() => {}, 1000)");
  if (stubborn.stdout) await once(stubborn.stdout, 'data');
  const killed = await master([{ what: 'process', pid: stubborn.pid }]);
  killed.kill('SIGKILL');
  await expect.poll(() => alive(stubborn)).toBe(false);
  expect(stubborn.signalCode).toBe('SIGKILL');
});

it('asks a database to stop in its own way', async () => {
  const note = join(folder, 'signal');
  const database = message(
    `process.on('SIGINT', () => { require('fs').writeFileSync(${JSON.stringify(note)}, 'SIGINT'); process.exit(0); });
     console.log('up'); setInterval(() => {}, 1000)`,
  );
  if (database.stdout) await once(database.stdout, 'data');
  const killed = await master([{ what: 'database', pid: database.pid }]);
  killed.kill('SIGKILL');
  await expect.poll(() => alive(database)).toBe(false);
  expect(readFileSync(note, 'utf8')).toBe('SIGINT');
});

it('leaves alone what ended before: its number may be another process by now', async () => {
  const other = message("console.log('up'); setInterval(() => {}, 1000)");
  if (other.stdout) await once(other.stdout, 'data');
  const calm = await master([
    { what: 'process', pid: other.pid },
    { what: 'ended', pid: other.pid },
  ]);
  calm.kill('SIGTERM');
  await once(calm, 'exit');
  expect(calm.exitCode).toBe(0);
  expect(alive(other)).toBe(true);
});
