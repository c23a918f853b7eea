import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { Locked, takeLock, withLock } from './lock.ts';

/** A process number that no system gives. */
const NOBODY = 2 ** 30;
const owner = (change: object): string =>
  JSON.stringify({ host: hostname(), pid: process.pid, started: null, ...change });

describe('a lock', () => {
  it('lets one work at a time, and leaves no file behind', async () => {
    const folder = temporaryFolder();
    let [inside, most, done] = [0, 0, 0];
    const work = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await readdir(folder);
      inside -= 1;
      done += 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => withLock(join(folder, 'a.lock'), work)));
    expect([most, done, await readdir(folder)]).toEqual([1, 10, []]);
  });
  it('is released where the work fails', async () => {
    const path = join(temporaryFolder(), 'a.lock');
    const failing = withLock(path, () => Promise.reject(new Error('the fault of the work')));
    await expect(failing).rejects.toThrow('the fault of the work');
    expect(await withLock(path, async () => 'free', 0)).toBe('free');
  });
  it('of a living process is refused with its number, and stays', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.lock');
    const release = await takeLock(path, 0);
    const refused = takeLock(path, 0);
    await expect(refused).rejects.toThrow(Locked);
    await expect(refused).rejects.toThrow(`${path} is locked by process ${process.pid} on ${hostname()}.`);
    expect(await readdir(folder)).toEqual(['a.lock']);
    await release();
    await (await takeLock(path, 0))();
  });
  it('of another machine is never taken over: its process cannot be asked', async () => {
    const path = join(temporaryFolder(), 'a.lock');
    await writeFile(path, owner({ host: 'another-machine', pid: NOBODY }));
    await expect(takeLock(path, 0)).rejects.toThrow(`process ${NOBODY} on another-machine`);
  });
  it.each<[string, string]>([
    ['a process that ended', owner({ pid: NOBODY })],
    ['a process whose number another one got', owner({ started: '1' })],
    ['nobody, in an empty file', ''],
    ['nobody, in a file that was cut', '{"host":"la'],
    ['nobody, in other JSON', 'null'],
    ['nobody, in a list', '[]'],
  ])('of %s is taken over by exactly one', async (_, text) => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.lock');
    await writeFile(path, text);
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(path, 0)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ pid: process.pid });
    expect(await readdir(folder)).toEqual(['a.lock']);
  });
  it('is taken over though a process died while it removed another', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.lock');
    await writeFile(path, owner({ pid: NOBODY }));
    await writeFile(`${path}.stale`, owner({ pid: NOBODY }));
    await (await takeLock(path, 1000))();
    expect(await readdir(folder)).toEqual([]);
  });
  it('that cannot be read fails at once: waiting for it would not end', async () => {
    const path = join(temporaryFolder(), 'a.lock');
    await mkdir(path);
    await expect(takeLock(path, 60_000)).rejects.toThrow('EISDIR');
  });
  it('in a folder that does not exist fails at once', async () => {
    await expect(takeLock(join(temporaryFolder(), 'absent', 'a.lock'), 1000)).rejects.toThrow('ENOENT');
  });
});
