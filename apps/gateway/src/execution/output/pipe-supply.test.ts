import { closeSync, fstatSync, readdirSync, readSync, writeSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MissingPart } from '../missing-part.ts';
import { makeWorkdir } from '../testing/run.ts';
import { type Pipe, PipeSupply } from './pipe-supply.ts';

let folder: Awaited<ReturnType<typeof makeWorkdir>>;
beforeAll(async () => {
  folder = await makeWorkdir();
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

describe('a supply of pipes', () => {
  it('hands out as many as are asked for at once, each its own', async () => {
    const supply = new PipeSupply(folder.path, null, 'mkfifo');
    const pipes = await Promise.all(Array.from({ length: 30 }, () => supply.take()));
    for (const [index, { entrance }] of pipes.entries()) writeSync(entrance, `pipe ${index}`);
    expect(pipes.map(({ exit }) => readAll(exit))).toEqual(pipes.map((_, index) => `pipe ${index}`));
    expect(new Set(pipes.map(({ exit }) => fstatSync(exit).ino)).size).toBe(30);
    for (const pipe of pipes) close(pipe);
    await supply.fill();
    expect(readdirSync(folder.path)).toEqual([]);
  });
  it('gives an exit that ends with its entrance, and is read without waiting', async () => {
    const pipe = await new PipeSupply(folder.path, null, 'mkfifo').take();
    expect(() => readAll(pipe.exit)).toThrow(/EAGAIN/);
    closeSync(pipe.entrance);
    expect(readAll(pipe.exit)).toBe('');
    closeSync(pipe.exit);
  });
  it('says what is missing where none can be made', async () => {
    const supply = new PipeSupply(folder.path, null, '/no/such/mkfifo');
    await expect(supply.take()).rejects.toThrow(MissingPart);
    await expect(supply.take()).rejects.toThrow(/mkfifo.*ENOENT/);
    await expect(new PipeSupply('/no/such/folder', null, 'mkfifo').take()).rejects.toThrow(/ENOENT/);
    expect(readdirSync(folder.path)).toEqual([]);
  });
  it.runIf(process.getuid?.() === 0)('gives pipes to the user who opens them by name', async () => {
    const pipe = await new PipeSupply(folder.path, 60_999, 'mkfifo').take();
    expect(fstatSync(pipe.entrance)).toMatchObject({ uid: 60_999, gid: 60_999, mode: 0o010_600 });
    close(pipe);
  });
});
