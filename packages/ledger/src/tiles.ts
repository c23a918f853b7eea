import { foldHashes, HASH_BYTES, type ReadHashes, type Subtree, writeLeafHash } from './merkle-tree.ts';

/*
 * The tree in tiles (C2SP tlog-tiles): tile n of level l has up to 256 hashes, those of the complete subtrees of 256^l leaves from
 * the 256 · n-th on. The last tile of a level grows until it is full; no hash in a tile ever changes.
 */

/** Levels of the tree in one tile, and hashes in a full one. */
const HEIGHT = 8;
export const TILE_WIDTH = 2 ** HEIGHT;

/** Which tile. */
export interface TilePosition {
  readonly level: number;
  readonly tile: number;
}

/** Hashes to append to a tile. */
export interface TileAddition extends TilePosition {
  /** Hashes that the tile has before. */
  readonly offset: number;
  readonly hashes: Buffer;
}

/** The stored tree is not one that was built from the log. */
export class TreeFault extends Error {
  override readonly name = 'TreeFault';
}

/** The hashes that a tile has in the tree over `size` leaves. */
export function widthOf({ level, tile }: TilePosition, size: number): number {
  const count = Math.floor(size / TILE_WIDTH ** level);
  return Math.max(0, Math.min(TILE_WIDTH, count - tile * TILE_WIDTH));
}

/** The last tile of each level of the tree over `size` leaves, where it is not full: what the next leaves are appended to. */
export function edgeOf(size: number): readonly TilePosition[] {
  const edge: TilePosition[] = [];
  for (let [level, count] = [0, size]; count > 0; [level, count] = [level + 1, Math.floor(count / TILE_WIDTH)]) {
    if (count % TILE_WIDTH !== 0) edge.push({ level, tile: Math.floor(count / TILE_WIDTH) });
  }
  return edge;
}

/** The root over a full tile: what the level above has of it. */
export function rootOfTile(hashes: Uint8Array): Buffer {
  return foldHashes(Buffer.from(hashes));
}

/** The last tile of a level while it is filled. */
interface OpenTile {
  readonly hashes: Buffer;
  count: number;
  /** How many of them were taken as additions. */
  taken: number;
}

const emptyTile = (): OpenTile => ({ hashes: Buffer.alloc(TILE_WIDTH * HASH_BYTES), count: 0, taken: 0 });

/** Appends leaves to a tree, and collects what to append to its tiles. */
export class TreeBuilder {
  /** Leaves so far. */
  size: number;
  readonly #edge: OpenTile[] = [];
  #additions: TileAddition[] = [];

  /** @param edge what the tiles of `edgeOf(size)` contain, in that order. @throws TreeFault where one lacks hashes. */
  constructor(size = 0, edge: readonly Uint8Array[] = []) {
    this.size = size;
    for (const [at, position] of edgeOf(size).entries()) {
      const hashes = edge[at] ?? new Uint8Array();
      const width = widthOf(position, size);
      if (hashes.length !== width * HASH_BYTES) throw incomplete(position);
      const open = this.#levelAt(position.level);
      open.hashes.set(hashes);
      open.count = width;
      open.taken = width;
    }
  }

  /** @param digest hexadecimal, of the next entry. */
  append(digest: string): void {
    const { hashes, count } = this.#levelAt(0);
    writeLeafHash(digest, hashes, count * HASH_BYTES);
    this.#appended();
  }

  /** @param leaf hash of the next leaf. */
  appendLeaf(leaf: Uint8Array): void {
    const { hashes, count } = this.#levelAt(0);
    hashes.set(leaf, count * HASH_BYTES);
    this.#appended();
  }

  #appended(): void {
    this.size += 1;
    this.#levelAt(0).count += 1;
    for (let level = 0; this.#levelAt(level).count === TILE_WIDTH; level += 1) {
      this.#collect(level);
      const above = this.#levelAt(level + 1);
      // Its hashes were taken, and may be overwritten.
      above.hashes.set(foldHashes(this.#levelAt(level).hashes), above.count * HASH_BYTES);
      above.count += 1;
      this.#edge[level] = emptyTile();
    }
  }

  /** What was appended to each tile since the last call. */
  takeAdditions(): readonly TileAddition[] {
    for (const level of this.#edge.keys()) this.#collect(level);
    const additions = this.#additions;
    this.#additions = [];
    return additions;
  }

  #levelAt(level: number): OpenTile {
    while (this.#edge.length <= level) this.#edge.push(emptyTile());
    return this.#edge[level] as OpenTile;
  }

  #collect(level: number): void {
    const open = this.#levelAt(level);
    const { count, taken } = open;
    if (count === taken) return;
    const tile = Math.ceil(Math.floor(this.size / TILE_WIDTH ** level) / TILE_WIDTH) - 1;
    const hashes = Buffer.from(open.hashes.subarray(taken * HASH_BYTES, count * HASH_BYTES));
    this.#additions.push({ level, tile, offset: taken, hashes });
    open.taken = count;
  }
}

function incomplete({ level, tile }: TilePosition): TreeFault {
  return new TreeFault(`Tile ${tile} of level ${level} of the tree is missing, or has not the hashes of its size.`);
}

/** The tile that contains a subtree, and its part of the tile's hashes. */
function positionOf({ level, index }: Subtree): TilePosition & { readonly from: number; readonly count: number } {
  const count = 2 ** (level % HEIGHT);
  const first = index * count;
  return {
    level: Math.floor(level / HEIGHT),
    tile: Math.floor(first / TILE_WIDTH),
    from: first % TILE_WIDTH,
    count,
  };
}

/** Reads tiles, in their order; an absent one is empty. */
export type ReadTiles = (tiles: readonly TilePosition[]) => Promise<readonly Uint8Array[]>;

/**
 * Hashes of complete subtrees from tiles. Each tile is read once, also for several proofs.
 * @throws TreeFault (from the reader) where a tile lacks hashes.
 */
export function readFromTiles(readTiles: ReadTiles): ReadHashes {
  const known = new Map<string, Uint8Array>();
  const keyOf = ({ level, tile }: TilePosition) => `${level}/${tile}`;
  return async (subtrees) => {
    const wanted = subtrees.map(positionOf);
    if (known.size > MAX_KEPT_TILES) known.clear();
    const absent = [
      ...new Map(wanted.filter((one) => !known.has(keyOf(one))).map((one) => [keyOf(one), one])).values(),
    ];
    const read = absent.length === 0 ? [] : await readTiles(absent);
    for (const [at, position] of absent.entries()) known.set(keyOf(position), read[at] ?? new Uint8Array());
    return wanted.map((position) => {
      const tile = known.get(keyOf(position)) ?? new Uint8Array();
      if (tile.length < (position.from + position.count) * HASH_BYTES) throw incomplete(position);
      const end = position.from + position.count;
      return rootOfTile(tile.subarray(position.from * HASH_BYTES, end * HASH_BYTES));
    });
  };
}

/** 16 MB: entries of one subject are spread over a log. */
const MAX_KEPT_TILES = 2000;
