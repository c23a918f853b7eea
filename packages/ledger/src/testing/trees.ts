import { type ReadTiles, type TileAddition, TreeBuilder } from '../index.ts';

/** Tiles in memory. */
export interface StoredTree {
  /** By level and index: `0/3`. */
  readonly tiles: Map<string, Buffer>;
  tile(level: number, tile: number): Buffer;
  add(additions: readonly TileAddition[]): void;
  readonly readTiles: ReadTiles;
}

export function storedTree(): StoredTree {
  const tiles = new Map<string, Buffer>();
  const tile = (level: number, index: number) => tiles.get(`${level}/${index}`) ?? Buffer.alloc(0);
  return {
    tiles,
    tile,
    add(additions) {
      for (const { level, tile: index, offset, hashes } of additions) {
        const before = tile(level, index);
        if (before.length !== offset * 32) throw new Error(`tile ${level}/${index} has ${before.length / 32} hashes`);
        tiles.set(`${level}/${index}`, Buffer.concat([before, hashes]));
      }
    },
    readTiles: async (wanted) => wanted.map(({ level, tile: index }) => tile(level, index)),
  };
}

export function treeOf(digests: readonly string[]): StoredTree {
  const stored = storedTree();
  const builder = new TreeBuilder();
  for (const digest of digests) builder.append(digest);
  stored.add(builder.takeAdditions());
  return stored;
}
