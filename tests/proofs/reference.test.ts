import { createSigner, generateSigningKey, makeTreeCheckpoint, toNoteKey, writeNoteKey } from '@gateway/ledger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildReference, createCases, treeInMemory } from './reference.ts';

let reference: ReturnType<typeof buildReference>;
beforeAll(() => {
  reference = buildReference();
}, 300_000);
afterAll(() => reference.remove());

const SIZE = 70_000;
/** Around the boundaries of tiles and of powers of two. */
const EDGES = [1, 2, 3, 4, 5, 7, 8, 9, 255, 256, 257, 511, 512, 513, 4095, 4096, 65_535, 65_536, 65_537, SIZE];

describe("Go's reference implementation (golang.org/x/mod/sumdb)", () => {
  it('verifies inclusion and consistency proofs of trees at every boundary, and of random ones', async () => {
    const casesOf = createCases(treeInMemory(SIZE));
    const cases: object[] = [];
    for (const size of EDGES) {
      for (const index of new Set([0, size >> 1, size - 1])) cases.push(...(await casesOf(size, index, index + 1)));
    }
    let seed = 46;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let run = 0; run < 500; run += 1) {
      const size = 1 + random(SIZE);
      cases.push(...(await casesOf(size, random(size), 1 + random(size))));
    }
    expect(new Set(reference.check(cases))).toEqual(new Set(['ok']));
    // The program does refuse: a step changed, another index.
    const [inclusion] = (await casesOf(257, 3, 5)) as [{ path: string[]; index: number }];
    const wrong = [
      { ...inclusion, index: 4 },
      { ...inclusion, path: inclusion.path.slice(1) },
    ];
    expect(reference.check(wrong).filter((line) => line === 'ok')).toEqual([]);
  });

  it('opens checkpoints in note form with the keys that journal keys --note prints', () => {
    const signer = createSigner(generateSigningKey());
    const cases = ['gateway/0123456789abcdef', 'logs.example.com/one', 'name-with-ü'].flatMap((name) => {
      const { note, text } = makeTreeCheckpoint(signer, {
        origin: `${name}/authorization_decisions`,
        size: 12,
        root: Buffer.alloc(32, 7),
      });
      const key = writeNoteKey(toNoteKey(name, signer.publicKey));
      const own = { kind: 'note', note, text, key };
      return [own, { ...own, note: note.replace('\n12\n', '\n13\n'), text: text.replace('\n12\n', '\n13\n') }];
    });
    const answers = reference.check(cases);
    expect(answers.filter((_, at) => at % 2 === 0)).toEqual(['ok', 'ok', 'ok']);
    expect(answers.filter((line, at) => at % 2 === 1 && line === 'ok')).toEqual([]);
  });
});
