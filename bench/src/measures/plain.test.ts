import { describe, expect, it } from 'vitest';
import { fakeLoad, peerAt } from '../testing/fakes.ts';
import { readOptions } from './options.ts';
import { CALLERS, measureClosed } from './plain.ts';

const peers = [peerAt(1, 'direct'), peerAt(2, 'bare proxy'), peerAt(3, 'gateway')];
const options = { ...readOptions([]), rounds: 3, milliseconds: 30 };
/** The gateway is half as fast as the bare proxy, and three milliseconds slower than the engine. */
const load = () =>
  fakeLoad(({ target: { port } }) => ({
    callsPerSecond: [0, 4000, 2000, 1000][port] ?? 0,
    p50: [0, 1, 2, 4][port] ?? 0,
    p99: [0, 2, 4, 9][port] ?? 0,
  }));

async function printed(answer: 'plain' | 'burst') {
  const tables: string[] = [];
  const rounds = await measureClosed(load(), peers, answer, options, (text) => tables.push(text));
  return { tables, rounds };
}
const cells = (text = '', name = ''): string[] | undefined =>
  text
    .split('\n')
    .find((line) => line.startsWith(name))
    ?.slice(name.length)
    .trim()
    .split(/\s+/);

describe('closed arrival', () => {
  it('has a table for each number of callers, with every peer', async () => {
    const { tables, rounds } = await printed('plain');
    expect(tables.map((text) => text.split('\n')[1])).toEqual(
      CALLERS.map((callers) => `Plain answers, ${callers} callers`),
    );
    expect([...rounds.keys()]).toEqual([...CALLERS]);
    for (const text of tables) for (const { name } of peers) expect(text).toContain(`\n${name}`);
  });

  it('shows calls a second, their ratio to the bare proxy, and what is added to the engine', async () => {
    const { tables } = await printed('plain');
    expect(cells(tables[0], 'gateway')).toEqual(['1000', '0.50', '–', '–', '4.00', '9.00', '3.00', '7.00']);
    expect(cells(tables[0], 'direct')).toEqual(['4000', '2.00', '–', '–', '1.00', '2.00', '0.00', '0.00']);
  });

  it('says that answers are streamed where they are', async () => {
    const { tables } = await printed('burst');
    expect(tables[3]?.split('\n')[1]).toBe('Streamed answers, 100 events at once, 256 callers');
  });

  it('measures in between, and says at how many callers', async () => {
    const seen: number[] = [];
    await measureClosed(
      load(),
      peers,
      'plain',
      options,
      () => undefined,
      async (callers) => {
        seen.push(callers);
      },
    );
    expect(seen).toEqual(CALLERS.flatMap((callers) => [callers, callers, callers]));
  });
});
