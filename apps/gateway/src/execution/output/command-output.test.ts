import { closeSync, writeSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorkdir } from '../testing/run.ts';
import { PIECE, pipeOutput } from './command-output.ts';
import { PipeSupply } from './pipe-supply.ts';

let folder: Awaited<ReturnType<typeof makeWorkdir>>;
let supply: PipeSupply;
beforeAll(async () => {
  folder = await makeWorkdir();
  supply = new PipeSupply(folder.path, null, 'mkfifo');
});
afterAll(async () => {
  await supply.close();
  await folder.remove();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An output, what it said, and the descriptor to say it on. */
async function follow(each: (piece: Buffer) => void = () => {}) {
  const { entrance, exit } = await supply.take();
  const output = pipeOutput(exit);
  const said: string[] = [];
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const take = (piece: Buffer) => {
    said.push(piece.toString('latin1'));
    each(piece);
  };
  output.read(take, resolve);
  return { output, said, over, entrance };
}

describe('the output of a command', () => {
  it('comes in pieces, to its end', async () => {
    const { output, said, over, entrance } = await follow();
    writeSync(entrance, 'a'.repeat(PIECE + 1));
    closeSync(entrance);
    await over;
    await output.closed;
    expect(said.map(({ length }) => length)).toEqual([PIECE, 1]);
    expect(output.bytes).toBe(PIECE + 1);
  });
  it('is not read while it is paused, not even once', async () => {
    const { output, said, over, entrance } = await follow(() => output.pause());
    writeSync(entrance, 'a'.repeat(3 * PIECE));
    for (let pieces = 1; pieces <= 3; pieces += 1) {
      while (said.length < pieces) await turn();
      for (let idle = 0; idle < 5; idle += 1) await turn();
      expect([said.length, output.isPaused]).toEqual([pieces, true]);
      output.resume();
    }
    closeSync(entrance);
    await over;
    expect(output.bytes).toBe(3 * PIECE);
  });
  it('is read into memory that all of them share', async () => {
    const places = new Set<ArrayBufferLike>();
    const all = await Promise.all(Array.from({ length: 10 }, () => follow(({ buffer }) => places.add(buffer))));
    for (const [index, { entrance }] of all.entries()) writeSync(entrance, String(index).repeat(1000));
    for (const { entrance, over } of all) {
      closeSync(entrance);
      await over;
    }
    expect(all.map(({ said }) => said.join(''))).toEqual(all.map((_, index) => String(index).repeat(1000)));
    expect(places.size).toBe(1);
  });
  it('can be given up, read or not, paused or not', async () => {
    const { output, entrance } = await follow(() => output.pause());
    writeSync(entrance, 'x');
    while (!output.isPaused) await turn();
    output.destroy();
    await output.closed;
    expect(() => writeSync(entrance, 'y')).toThrow(/EPIPE/);
    closeSync(entrance);
    const pipe = await supply.take();
    const unread = pipeOutput(pipe.exit);
    unread.destroy();
    await unread.closed;
    expect(() => writeSync(pipe.entrance, 'y')).toThrow(/EPIPE/);
    closeSync(pipe.entrance);
  });
});
