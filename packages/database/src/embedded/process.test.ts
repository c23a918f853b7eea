import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { commandOf, runs } from './start.ts';

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** Runs a shell script and resolves with its first line. */
async function said(script: string, ...words: readonly string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn('sh', ['-c', script, 'sh', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, line: line.toString().trim() };
}

const NOBODY = 2 ** 22 + 1;

describe('a process', () => {
  it('runs until it has ended', async () => {
    const { child } = await said('echo up; exec sleep 60');
    const pid = child.pid ?? 0;
    expect(runs(pid)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(runs(pid)).toBe(false);
    expect(runs(NOBODY)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('that has ended and was not reaped by its parent does not run', async () => {
    // It becomes a zombie once its parent is a program that never waits for children: a shell might.
    const child = 'while read -r name </proc/$PPID/comm && [ "$name" != sleep ]; do :; done';
    const { line } = await said(`sh -c '${child}' & echo $!; exec sleep 60`);
    await expect.poll(() => runs(Number(line))).toBe(false);
    expect(() => process.kill(Number(line), 0)).not.toThrow(); // it still exists
  });

  it('has the words it was started with', async () => {
    const { child } = await said('echo up; sleep 60; true', 'data in é dir');
    expect(commandOf(child.pid ?? 0)).toContain('data in é dir');
    expect(commandOf(NOBODY)).toBe('');
  });
});
