import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENESIS, link, writeExportedEntry } from '@gateway/ledger';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { entriesIn } from './exported.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'export-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a chain of texts as an export, and reads it. */
async function readBack(texts: readonly string[]) {
  let previous = GENESIS;
  const entries = texts.map((text, index) => {
    const entry = { sequence: index + 1, text };
    const { digest } = link(previous, entry);
    const made = { chain: 'log', sequence: BigInt(index + 1), entry, previous, digest, seal: null };
    previous = digest;
    return made;
  });
  const content = Buffer.from(entries.map((one) => `${writeExportedEntry(one)}\n`).join(''));
  const file = join(folder, 'export.jsonl');
  writeFileSync(file, content);
  const read = [];
  const reported: number[] = [];
  for await (const entry of entriesIn(file, (bytes) => reported.push(bytes))) read.push(entry);
  return { entries, read, reported, size: content.length };
}

it('an export is read back completely, for any position of line ends in a read buffer', async () => {
  // Reads are 64 KiB: lines that end at their edges, characters that cross them, lines longer than several of them.
  const lengths = fc.oneof(
    fc.nat(300),
    fc.integer({ min: 65_000, max: 65_600 }),
    fc.integer({ min: 130_000, max: 131_100 }),
  );
  const text = fc
    .tuple(lengths, fc.constantFrom('a', 'é', '€', '\u2028'))
    .map(([length, letter]) => letter.repeat(length));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (texts) => {
      const { entries, read } = await readBack(texts);
      expect(read).toEqual(entries);
    }),
    { numRuns: 40 },
  );
});

it('reports how much of it was read', async () => {
  const { reported, size } = await readBack(Array.from({ length: 4000 }, String));
  expect(reported).toHaveLength(3);
  expect(reported).toEqual(reported.toSorted((one, other) => one - other));
  expect(reported[0]).toBeGreaterThan(0);
  expect(reported.at(-1)).toBeLessThanOrEqual(size);
});
