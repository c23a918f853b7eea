import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { keepSessionOpen } from './open-session.ts';

const ID = '0198c0de-0000-7000-8000-000000000000';
const PROGRAM = `
const { keepSessionOpen } = await import(${JSON.stringify(new URL('./open-session.ts', import.meta.url).href)});
const [home, id] = process.argv.slice(1);
const release = await keepSessionOpen(home, id);
process.stdin.on('data', () => release().then(() => console.log('released')));
console.log('open');
`;

/** Another process that has the session open. */
async function otherProcess(home: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, '--', home, ID], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const says = async (): Promise<string> => String((await once(child.stdout, 'data'))[0]).trim();
  expect(await says()).toBe('open');
  return {
    pid: child.pid ?? 0,
    async release() {
      child.stdin.write('\n');
      expect(await says()).toBe('released');
    },
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('a session that is open', () => {
  it('in another process is refused, with the process and how to continue with a copy', async () => {
    const home = temporaryFolder();
    const { pid } = await otherProcess(home);
    await expect(keepSessionOpen(home, ID)).rejects.toThrow(
      new RegExp(
        `^The session ${ID} is open already, in process ${pid}\\b.*End it there, or continue with a copy: gw --fork ${ID}$`,
      ),
    );
  });

  it('can be opened once the other process has closed it, or was killed', async () => {
    const home = temporaryFolder();
    const first = await otherProcess(home);
    await first.release();
    const second = await otherProcess(home);
    await second.kill();
    const release = await keepSessionOpen(home, ID);
    await release();
    expect(readdirSync(join(home, '.gateway', 'locks'))).toEqual([]);
  });

  it('does not keep other sessions from being opened, and is a secret of its owner', async () => {
    const home = temporaryFolder();
    const one = await keepSessionOpen(home, ID);
    const other = await keepSessionOpen(home, ID.replace(/0$/, '1'));
    const folder = join(home, '.gateway', 'locks');
    expect(readdirSync(folder)).toHaveLength(2);
    expect(statSync(folder).mode & 0o077).toBe(0);
    await Promise.all([one(), other()]);
  });

  it('by this process is refused a second time, and not by the lock of a crash that was cut off', async () => {
    const home = temporaryFolder();
    const folder = join(home, '.gateway', 'locks');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${ID}.lock`), '{"pid":');
    const release = await keepSessionOpen(home, ID);
    await expect(keepSessionOpen(home, ID)).rejects.toThrow('is open already');
    await release();
  });
});
