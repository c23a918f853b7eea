import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clearLeftover, goneWithin, readPostmaster } from './start.ts';

const parent = mkdtempSync(join(tmpdir(), 'gateway-postmaster-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(parent, { recursive: true, force: true });
});

let folders = 0;
function dataFolder(pidFile: string | null = null): string {
  folders += 1;
  const data = join(parent, `data-${folders}`);
  mkdirSync(data);
  if (pidFile !== null) writeFileSync(join(data, 'postmaster.pid'), pidFile);
  return data;
}
/** A program that has these words in its command line. */
async function program(...words: readonly string[]): Promise<ChildProcess & { readonly pid: number }> {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)', '--', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return Object.assign(child, { pid: child.pid ?? 0 });
}
const written = (pid: number, state: string) => `${pid}\n/data\n1767225600\n5432\n\n127.0.0.1\n  1234\n${state}\n`;

describe('the pid file of a server', () => {
  it('says whether the server takes connections', () => {
    expect(readPostmaster(dataFolder(written(77, 'ready   ')))).toEqual({ pid: 77, ready: true });
    expect(readPostmaster(dataFolder(written(77, 'starting')))).toEqual({ pid: 77, ready: false });
  });

  it.each([
    ['that is being written', '77\n/data', { pid: 77, ready: false }],
    ['that is still empty', '', null],
    ['that is no pid file', 'nonsense', null],
    ['of a program that is no server', '-77\n', null],
  ])('%s is read as far as it goes', (_, content, expected) => {
    expect(readPostmaster(dataFolder(content))).toEqual(expected);
  });

  it('is none where there is no file, and none without a folder', () => {
    expect(readPostmaster(dataFolder())).toBeNull();
    expect(readPostmaster(join(parent, 'nowhere'))).toBeNull();
  });
});

describe('what an earlier run left', () => {
  it('is nothing where there is no pid file', async () => {
    const data = dataFolder();
    await clearLeftover(data);
    expect(existsSync(join(data, 'postmaster.pid'))).toBe(false);
  });

  it('is a pid file alone, where its server has ended: another start would stop at it', async () => {
    const ended = await program();
    ended.kill('SIGKILL');
    await once(ended, 'exit');
    const data = dataFolder(written(ended.pid, 'ready'));
    await clearLeftover(data);
    expect(existsSync(join(data, 'postmaster.pid'))).toBe(false);
  });

  it('is a server, which is stopped, also while it is frozen', async () => {
    const data = dataFolder();
    const server = await program('-D', data);
    const exit = once(server, 'exit');
    server.kill('SIGSTOP');
    writeFileSync(join(data, 'postmaster.pid'), written(server.pid, 'ready'));
    await clearLeftover(data);
    expect(await exit).toEqual([null, 'SIGINT']);
    expect(existsSync(join(data, 'postmaster.pid'))).toBe(false);
  });

  it('is no other program that has the number now: it is left alone', async () => {
    const stranger = await program('of', 'somebody', 'else');
    const data = dataFolder(written(stranger.pid, 'ready'));
    await clearLeftover(data);
    expect(existsSync(join(data, 'postmaster.pid'))).toBe(false);
    expect(await goneWithin(stranger.pid, 0)).toBe(false);
    // As in a container, where each start has the same numbers.
    await clearLeftover(dataFolder(written(process.pid, 'ready')));
  });

  it('is awaited only so long', async () => {
    const staying = await program();
    expect(await goneWithin(staying.pid, 1)).toBe(false);
    staying.kill('SIGKILL');
    expect(await goneWithin(staying.pid, 600_000)).toBe(true);
  });
});
