import {
  closeSync,
  fstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Pipe, PipeSupply } from './pipes.ts';
import { MissingPart } from './processes.ts';
import { makeWorkdir } from './testing/run.ts';

let folder: Awaited<ReturnType<typeof makeWorkdir>>;
const supplies: PipeSupply[] = [];
function makeSupply({ directory = folder.path, program = 'mkfifo' } = {}): PipeSupply {
  const supply = new PipeSupply(directory, program);
  supplies.push(supply);
  return supply;
}
beforeAll(async () => {
  folder = await makeWorkdir();
});
afterEach(async () => {
  for (const supply of supplies.splice(0)) await supply.close();
});
afterAll(() => folder.remove());

const close = ({ entrance, exit }: Pipe) => {
  closeSync(entrance);
  closeSync(exit);
};
const readAll = (exit: number) => {
  const buffer = Buffer.alloc(100);
  return buffer.toString('utf8', 0, readSync(exit, buffer));
};

/** Named pipes that this process holds open: removed ones are shown with their former name. */
const openPipes = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('/.pipes-');
    } catch {
      return false; // the descriptor of this listing itself
    }
  });

describe('a supply of pipes', () => {
  it('provides any number of concurrent pipes, all distinct', async () => {
    const supply = makeSupply();
    const pipes = await Promise.all(Array.from({ length: 30 }, () => supply.take()));
    for (const [index, { entrance }] of pipes.entries()) writeSync(entrance, `pipe ${index}`);
    expect(pipes.map(({ exit }) => readAll(exit))).toEqual(pipes.map((_, index) => `pipe ${index}`));
    expect(new Set(pipes.map(({ exit }) => fstatSync(exit).ino)).size).toBe(30);
    for (const pipe of pipes) close(pipe);
    await supply.fill();
    expect(readdirSync(folder.path)).toEqual([]);
  });
  it('makes many by one program where many are waited for', async () => {
    const [counted, program] = [join(folder.path, 'runs'), join(folder.path, 'counting')];
    writeFileSync(program, `#!/bin/sh\necho run >>${counted}\nexec mkfifo "$@"\n`, { mode: 0o755 });
    const supply = makeSupply({ program });
    const pipes = await Promise.all(Array.from({ length: 60 }, () => supply.take()));
    expect(new Set(pipes.map(({ exit }) => fstatSync(exit).ino)).size).toBe(60);
    for (const pipe of pipes) close(pipe);
    await supply.close();
    expect(readFileSync(counted, 'utf8').trim().split('\n').length).toBeLessThanOrEqual(3);
    for (const path of [counted, program]) rmSync(path);
  });
  it('gives an exit that ends with its entrance, and is read without waiting', async () => {
    const pipe = await makeSupply().take();
    expect(() => readAll(pipe.exit)).toThrow(/EAGAIN/);
    closeSync(pipe.entrance);
    expect(readAll(pipe.exit)).toBe('');
    closeSync(pipe.exit);
  });
  it('names what is missing where none can be made', async () => {
    const supply = makeSupply({ program: '/no/such/mkfifo' });
    await expect(supply.take()).rejects.toThrow(MissingPart);
    await expect(supply.take()).rejects.toThrow(/mkfifo.*ENOENT/);
    await expect(makeSupply({ directory: '/no/such/folder' }).take()).rejects.toThrow(/ENOENT/);
    expect(readdirSync(folder.path)).toEqual([]);
  });
  it.runIf(process.getuid?.() === 0)('gives pipes to the user who opens them by name', async () => {
    const pipe = await makeSupply().take(60_999);
    expect(fstatSync(pipe.entrance)).toMatchObject({ uid: 60_999, gid: 60_999, mode: 0o010_600 });
    close(pipe);
  });
  it('leaves nothing behind once it is closed, even in the middle of making pipes', async () => {
    const before = openPipes();
    const supply = makeSupply();
    const taken = await supply.take();
    const making = supply.fill();
    await supply.close();
    expect(readdirSync(folder.path)).toEqual([]);
    await making;
    close(taken);
    expect(openPipes()).toEqual(before);
    await expect(supply.take()).rejects.toThrow(/is stopping/);
    expect(readdirSync(folder.path)).toEqual([]);
  });
  it('rejects waiting callers when it is closed', async () => {
    const supply = makeSupply();
    const taking = Array.from({ length: 100 }, () => supply.take());
    await supply.close();
    const taken = await Promise.allSettled(taking);
    for (const one of taken) if (one.status === 'fulfilled') close(one.value);
    expect(taken.at(-1)).toMatchObject({ status: 'rejected' });
    await supply.close();
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
