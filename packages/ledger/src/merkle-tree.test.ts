import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  consistencyPath,
  EMPTY_ROOT,
  edgeOf,
  inclusionPath,
  isConsistent,
  isIncluded,
  readFromTiles,
  readFrontier,
  rootAfter,
  TreeBuilder,
  TreeFault,
  treeRoot,
} from './index.ts';
import { leafHash as hashOfLeaf } from './merkle-tree.ts';
import { type StoredTree, storedTree, treeOf } from './testing/trees.ts';

const sha256 = (...parts: readonly Uint8Array[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** RFC 6962 section 2.1, word by word. */
function rootOf(digests: readonly string[]): Buffer {
  const [only] = digests;
  if (only === undefined) return sha256();
  if (digests.length === 1) return sha256(Buffer.of(0), Buffer.from(only, 'hex'));
  let k = 1;
  while (k * 2 < digests.length) k *= 2;
  return sha256(Buffer.of(1), rootOf(digests.slice(0, k)), rootOf(digests.slice(k)));
}

const digest = (n: number): string => createHash('sha256').update(`entry ${n}`).digest('hex');
const DIGESTS = Array.from({ length: 1200 }, (_, n) => digest(n));
const tree: StoredTree = treeOf(DIGESTS);
const read = readFromTiles(tree.readTiles);
/** Where tiles begin and end, and around powers of two. */
const SIZES = [
  0, 1, 2, 3, 4, 5, 7, 8, 9, 127, 128, 129, 255, 256, 257, 511, 512, 513, 767, 768, 1023, 1024, 1025, 1200,
];

describe('the tree', () => {
  it.each(SIZES)('of %i entries has the root of RFC 6962', async (size) => {
    expect(Buffer.from(await treeRoot(size, read))).toEqual(rootOf(DIGESTS.slice(0, size)));
  });

  it('has the same root from a frontier and the digests behind it', async () => {
    for (const first of SIZES) {
      const frontier = await readFrontier(first, read);
      for (const end of SIZES.filter((size) => size >= first)) {
        const root = rootAfter(first, frontier, DIGESTS.slice(first, end));
        expect(Buffer.from(root ?? [])).toEqual(Buffer.from(await treeRoot(end, read)));
      }
      expect(rootAfter(first, [...frontier, EMPTY_ROOT], [])).toBeNull();
      expect(rootAfter(first, frontier.slice(1), [])).toEqual(first === 0 ? EMPTY_ROOT : null);
    }
  });

  it('proves each leaf of each size, and no other position, size or leaf (log-18)', async () => {
    for (const size of SIZES.slice(1)) {
      const root = await treeRoot(size, read);
      for (const index of new Set([0, 1, size >> 1, size - 2, size - 1].filter((one) => one >= 0 && one < size))) {
        const path = await inclusionPath(index, size, read);
        const proof = { leaf: hashOfLeaf(digest(index)), index, size, root, path };
        expect(isIncluded(proof)).toBe(true);
        for (const change of [{ index: index + 1 }, { index: index - 1 }, { leaf: hashOfLeaf(digest(index + 1)) }]) {
          expect(isIncluded({ ...proof, ...change })).toBe(false);
        }
      }
    }
  });

  it('finds a changed bit in every step of every proof (log-19)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 1200 }), fc.nat(), fc.nat(255), async (size, choice, bit) => {
        const [index, old] = [choice % size, 1 + (choice % (size - 1))];
        const [root, oldRoot] = [await treeRoot(size, read), await treeRoot(old, read)];
        const inclusion = {
          leaf: hashOfLeaf(digest(index)),
          index,
          size,
          root,
          path: await inclusionPath(index, size, read),
        };
        const consistency = {
          old: { size: old, root: oldRoot },
          size,
          root,
          path: await consistencyPath(old, size, read),
        };
        expect([isIncluded(inclusion), isConsistent(consistency)]).toEqual([true, true]);
        const flipped = (hash: Uint8Array) => hash.with(bit >> 3, (hash[bit >> 3] ?? 0) ^ (1 << (bit & 7)));
        for (const [kind, proof] of [
          ['inclusion', inclusion],
          ['consistency', consistency],
        ] as const) {
          const holds = (path: readonly Uint8Array[]) =>
            kind === 'inclusion' ? isIncluded({ ...inclusion, path }) : isConsistent({ ...consistency, path });
          for (const at of proof.path.keys()) {
            expect(holds(proof.path.map((step, one) => (one === at ? flipped(step) : step)))).toBe(false);
            expect(holds(proof.path.toSpliced(at, 1))).toBe(false);
            expect(holds(proof.path.toSpliced(at, 0, proof.path[at] as Uint8Array))).toBe(false);
          }
        }
        expect(isConsistent({ ...consistency, root: flipped(root) })).toBe(false);
        expect(isConsistent({ ...consistency, old: { size: old, root: flipped(oldRoot) } })).toBe(false);
        expect(isIncluded({ ...inclusion, root: flipped(root) })).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('of nothing continues into every tree, and no tree into a smaller one', async () => {
    const root = await treeRoot(5, read);
    expect(isConsistent({ old: { size: 0, root: EMPTY_ROOT }, size: 5, root, path: [] })).toBe(true);
    expect(isConsistent({ old: { size: 0, root }, size: 5, root, path: [] })).toBe(false);
    expect(isConsistent({ old: { size: 5, root }, size: 4, root, path: [] })).toBe(false);
  });
});

describe('tiles', () => {
  it('are the same however the leaves arrive', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 }), (pieces) => {
        const stored = storedTree();
        let builder = new TreeBuilder();
        let size = 0;
        for (const piece of pieces) {
          builder = new TreeBuilder(
            size,
            edgeOf(size).map(({ level, tile }) => stored.tile(level, tile)),
          );
          for (const one of DIGESTS.slice(size, size + piece)) builder.append(one);
          stored.add(builder.takeAdditions());
          size = builder.size;
        }
        expect(stored.tiles).toEqual(treeOf(DIGESTS.slice(0, size)).tiles);
      }),
      { numRuns: 40 },
    );
  });

  it('give no hash where one is missing or too short', async () => {
    const cut = treeOf(DIGESTS.slice(0, 300));
    cut.tiles.set('0/1', cut.tile(0, 1).subarray(0, 32 * 40));
    const short = readFromTiles(cut.readTiles);
    await expect(treeRoot(300, short)).rejects.toThrow(TreeFault);
    await expect(treeRoot(256, short)).resolves.toEqual(await treeRoot(256, read));
    expect(() => new TreeBuilder(300, [])).toThrow(TreeFault);
  });
});
