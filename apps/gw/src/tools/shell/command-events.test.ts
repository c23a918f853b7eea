import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CommandEvent, commandEvents } from './command-events.ts';

async function eventsOf(chunks: readonly Uint8Array[]): Promise<readonly CommandEvent[]> {
  const body = (async function* () {
    yield* chunks;
  })();
  const found: CommandEvent[] = [];
  for await (const event of commandEvents(body)) found.push(event);
  return found;
}
const read = (...lines: readonly string[]) => eventsOf([Buffer.from(lines.map((line) => `${line}\n`).join(''))]);
const start = { evenement: 'demarre', identifiant: 'id', session: 's', a: '2026-01-01T00:00:00.000Z' };
const end = { evenement: 'fin', code: 0, signal: null, interrompu: false, dureeMs: 5 };

describe('the events of a command', () => {
  it('are the same wherever the network divides them, also within a character', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    const event = fc.oneof(
      text.map((donnees) => ({ evenement: 'sortie', flux: 'stdout', donnees })),
      text.map((message) => ({ evenement: 'erreur', message })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 5 }),
        fc.array(fc.nat(300), { maxLength: 6 }),
        async (all, cuts) => {
          const bytes = Buffer.from(all.map((one) => `${JSON.stringify(one)}\n`).join(''));
          const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
          const chunks = places.slice(1).map((place, at) => bytes.subarray(places[at], place));
          expect(await eventsOf(chunks)).toEqual(all);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('have blank lines and unknown events between them, which are left out', async () => {
    const lines = [start, { evenement: 'news' }, { other: 1 }, [], null, 3, 'text', end].map((one) =>
      JSON.stringify(one),
    );
    expect(await read('', ...lines, '  ')).toEqual([start, end]);
  });

  it.each([
    { evenement: 'demarre', identifiant: 7 },
    { evenement: 'sortie', flux: 'stdout' },
    { evenement: 'sortie', flux: 'other', donnees: '' },
    { evenement: 'erreur', message: null },
  ])('without what they need are left out: %j', async (event) => {
    expect(await read(JSON.stringify(event))).toEqual([]);
  });

  it('end with what is known: a code, a signal, or neither', async () => {
    expect(await read('{"evenement":"fin","code":"0","signal":9,"interrompu":"yes","dureeMs":"12"}')).toEqual([
      { evenement: 'fin', code: null, signal: null, interrompu: false, dureeMs: 12 },
    ]);
  });

  it('end where the last line was cut off', async () => {
    expect(await eventsOf([Buffer.from(`${JSON.stringify(start)}\n{"evenement":"fin"`)])).toEqual([start]);
  });

  it('are refused where a line is no JSON, or has no end', async () => {
    await expect(read(JSON.stringify(start), '<html>')).rejects.toThrow('it sent a line that is not JSON');
    const endless = Array.from({ length: 18 }, () => Buffer.alloc(2 ** 20, 'x'));
    await expect(eventsOf(endless)).rejects.toThrow('it sent a line that is too long');
  });
});
