import { closeSync, writeSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Turns } from '../process/turns.ts';
import { PIECE, PipeSupply, pipeOutput } from './pipes.ts';
import { makeWorkdir } from './testing/run.ts';

let folder: Awaited<ReturnType<typeof makeWorkdir>>;
let supply: PipeSupply;
beforeAll(async () => {
  folder = await makeWorkdir();
  supply = new PipeSupply(folder.path, 'mkfifo');
});
afterAll(async () => {
  await supply.close();
  await folder.remove();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A stopped clock: on a slow machine, too, no time slice is ever used up. */
const unhurried = () => new Turns({ now: () => 0, nextTurn: (work) => setImmediate(work) });

/** An output, its text, and the descriptor to write to. */
async function follow(each: (piece: Buffer) => void = () => {}, turns = unhurried()) {
  const { entrance, exit } = await supply.take();
  const output = pipeOutput(exit, turns);
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
  it('arrives in pieces, to its end', async () => {
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

describe('a piece of output that waits for its turn', () => {
  /** Turns that the test gives; others used up this one. */
  function crowded() {
    const due: (() => void)[] = [];
    let time = 0;
    const turns = new Turns({ now: () => (time += 10), nextTurn: (work) => due.push(work) });
    turns.now(() => {});
    return { turns, give: () => due.shift()?.() };
  }
  const idle = async () => {
    for (let count = 0; count < 5; count += 1) await turn();
  };

  it('keeps later data and the end, unchanged', async () => {
    const [{ turns, give }, other] = [crowded(), await follow()];
    const { output, said, over, entrance } = await follow(() => {}, turns);
    writeSync(entrance, 'first'.padEnd(PIECE, '.'));
    writeSync(entrance, 'second');
    closeSync(entrance);
    while (!output.isPaused) await turn();
    writeSync(other.entrance, 'x'.repeat(PIECE)); // into the memory that the first was read into
    while (other.said.length === 0) await turn();
    await idle();
    expect([said, output.bytes]).toEqual([[], PIECE]);
    while (said.length < 2) {
      give();
      await turn();
    }
    await over;
    await output.closed;
    expect(said.map((piece) => piece.replace(/\.+$/, ''))).toEqual(['first', 'second']);
    closeSync(other.entrance);
  });
  it('waits even if the output is resumed in between, and does not change a pause', async () => {
    const { turns, give } = crowded();
    const { output, said, over, entrance } = await follow(() => output.pause(), turns);
    writeSync(entrance, 'a'.repeat(2 * PIECE));
    while (!output.isPaused) await turn();
    output.resume();
    await idle();
    expect([output.isPaused, output.bytes]).toEqual([true, PIECE]);
    give();
    expect([said.length, output.isPaused]).toEqual([1, true]);
    await idle();
    expect(output.bytes).toBe(PIECE);
    output.resume();
    while (said.length < 2) {
      give();
      await turn();
    }
    output.resume();
    closeSync(entrance);
    await over;
  });
  it('is given up with its output', async () => {
    const { turns, give } = crowded();
    const { output, said, entrance } = await follow(() => {}, turns);
    writeSync(entrance, 'x');
    while (!output.isPaused) await turn();
    output.destroy();
    await output.closed;
    give();
    expect(said).toEqual([]);
    closeSync(entrance);
  });
});
