import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directorySize, removeTree } from './directories.ts';
import { watchDisk } from './disk-watch.ts';
import { makeDeep } from './testing/deep.ts';
import { makeWorkdir } from './testing/run.ts';

const MOST = { bytes: 2 ** 40, files: 1_000_000 };
let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
beforeEach(async () => {
  workdir = await makeWorkdir();
});
afterEach(() => workdir.remove());
const file = (name: string, bytes: number) => writeFileSync(join(workdir.path, name), Buffer.alloc(bytes, 1));

describe('the size of a directory', () => {
  it('is nothing where there is nothing, or no directory', async () => {
    expect(await directorySize(workdir.path, MOST)).toEqual({ bytes: 0, files: 0 });
    expect(await directorySize(join(workdir.path, 'none'), MOST)).toEqual({ bytes: 0, files: 0 });
  });
  it('counts everything below, in blocks', async () => {
    mkdirSync(join(workdir.path, 'a/b'), { recursive: true });
    file('one', 100_000);
    file('a/b/two', 100_000);
    const { bytes, files } = await directorySize(workdir.path, MOST);
    expect(files).toBe(4);
    expect(bytes).toBeGreaterThanOrEqual(200_000);
    expect(bytes).toBeLessThan(260_000);
  });
  it('counts a file with two names once', async () => {
    file('one', 1_000_000);
    linkSync(join(workdir.path, 'one'), join(workdir.path, 'same'));
    const { bytes, files } = await directorySize(workdir.path, MOST);
    expect(files).toBe(2);
    expect(bytes).toBeLessThan(1_200_000);
  });
  it('does not follow links, not even to itself', async () => {
    symlinkSync('/usr', join(workdir.path, 'usr'));
    symlinkSync('.', join(workdir.path, 'self'));
    expect((await directorySize(workdir.path, MOST)).files).toBe(2);
  });
  it('counts what has a name that is no text', async () => {
    mkdirSync(Buffer.from(join(workdir.path, 'd\xff'), 'latin1'));
    writeFileSync(Buffer.from(join(workdir.path, 'd\xff', 'f\xfe'), 'latin1'), Buffer.alloc(1_000_000, 1));
    const { bytes, files } = await directorySize(workdir.path, MOST);
    expect(files).toBe(2);
    expect(bytes).toBeGreaterThanOrEqual(1_000_000);
  });
  it('exceeds every bound where an entry is deeper than a path can reach', async () => {
    makeDeep(workdir.path);
    expect(await directorySize(workdir.path, MOST)).toEqual({ bytes: Infinity, files: Infinity });
    const exceeded = await new Promise((resolve) => watchDisk(workdir.path, MOST, () => resolve('exceeded')));
    expect(exceeded).toBe('exceeded');
    await removeTree(workdir.path);
  });
  it('counts all of a large directory', async () => {
    for (let index = 0; index < 300; index += 1) mkdirSync(join(workdir.path, `d${index}`));
    expect((await directorySize(workdir.path, MOST)).files).toBe(300);
  });
  it('stops once it is past a bound', async () => {
    for (let index = 0; index < 20; index += 1) file(`f${index}`, 10_000);
    expect((await directorySize(workdir.path, { ...MOST, files: 5 })).files).toBe(6);
    expect((await directorySize(workdir.path, { ...MOST, bytes: 20_000 })).files).toBeLessThan(6);
  });
});
