import { setImmediate as soon } from 'node:timers/promises';
import {
  edgeOf,
  HASH_BYTES,
  leafHash,
  type ReadHashes,
  type ReadTiles,
  readFromTiles,
  rootOfTile,
  TILE_WIDTH,
  type TileAddition,
  type TilePosition,
  TreeBuilder,
  TreeFault,
  treeRoot,
} from '@gateway/ledger';
import { arrayLiteral } from '../client/array-literal.ts';
import type { Queryable, Sql } from '../client/connect.ts';
import { type ChainName, DECISIONS } from './names.ts';
import { readArchiveAnchor } from './read-chain.ts';

/** Advisory locks: one writer extends a tree at a time. */
const BUILDING: Readonly<Record<ChainName, number>> = {
  authorization_decisions: 727_006,
  administration_actions: 727_007,
};

/** Entries that are appended to a tree in one transaction. */
const PAGE = 16 * TILE_WIDTH;

const HOW_TO_REBUILD = 'Run: gatewayctl journal tree --verify, and --rebuild once the cause is known.';

/** The part of the origin of checkpoints that distinguishes this installation, made once by its first migration. */
export async function readLogInstance(sql: Queryable): Promise<string> {
  const [row] = await sql<{ instance: string }[]>`select instance from log_instance`;
  if (!row) throw new TreeFault('The table log_instance is empty: restore its row from a backup.');
  return row.instance;
}

/** Entries in the stored tree: its last tile of leaves tells. */
export async function readTreeSize(sql: Queryable, chain: ChainName): Promise<number> {
  const [last] = await sql<{ tile: bigint; bytes: number }[]>`
    select tile, octet_length(hashes) as bytes from log_tiles where chain = ${chain} and level = 0 order by tile desc limit 1`;
  return last ? Number(last.tile) * TILE_WIDTH + last.bytes / HASH_BYTES : 0;
}

export function readStoredTiles(sql: Queryable, chain: ChainName): ReadTiles {
  return async (wanted) => {
    if (wanted.length === 0) return [];
    const rows = await sql<{ level: number; tile: bigint; hashes: Buffer }[]>`
      select level, tile, hashes from log_tiles where chain = ${chain}
        and (level, tile) in (select * from unnest(${arrayLiteral(wanted.map(({ level }) => level))}::integer[],
          ${arrayLiteral(wanted.map(({ tile }) => tile))}::bigint[]))`;
    const found = new Map(rows.map(({ level, tile, hashes }) => [`${level}/${tile}`, hashes]));
    return wanted.map(({ level, tile }) => found.get(`${level}/${tile}`) ?? new Uint8Array());
  };
}

/**
 * The digests of the entries behind a size, in their order, hexadecimal.
 * @throws TreeFault where one is missing, or is no digest.
 */
export async function readDigests(sql: Queryable, chain: ChainName, after: number, limit: number): Promise<string[]> {
  const [row] = await sql<{ digests: string; first: bigint; last: bigint; count: number; whole: boolean }[]>`
    select string_agg(encode(digest, 'hex'), '' order by sequence) as digests, min(sequence) as first, max(sequence) as last,
      count(*)::int as count, bool_and(coalesce(octet_length(digest) = ${HASH_BYTES}, false)) as whole
    from (select sequence, digest from ${sql(chain)} where sequence > ${after} order by sequence limit ${limit}) entry`;
  if (!row || row.count === 0) return [];
  if (Number(row.first) !== after + 1) throw await missing(sql, chain, after + 1, Number(row.first));
  if (Number(row.last) - after !== row.count || !row.whole) {
    throw new TreeFault(
      `An entry of ${chain} between ${after + 1} and ${row.last} is missing, or has no digest. Run: gatewayctl journal verify`,
    );
  }
  return Array.from({ length: row.count }, (_, at) => row.digests.slice(at * 64, (at + 1) * 64));
}

async function missing(sql: Queryable, chain: ChainName, entry: number, first: number): Promise<TreeFault> {
  const anchor = chain === DECISIONS ? await readArchiveAnchor(sql) : null;
  if (anchor !== null && Number(anchor.sequence) >= entry) {
    return new TreeFault(
      `Entries ${entry} to ${anchor.sequence} of ${chain} are archived and not in the stored tree. ` +
        'Build it from the archives: gatewayctl journal tree --rebuild --archive FILE…',
    );
  }
  return new TreeFault(`Entry ${entry} of ${chain} is missing: entry ${first} is in its place.`);
}

/** What changes in the tiles of a chain, in one statement. */
export async function writeTiles(sql: Queryable, chain: ChainName, additions: readonly TileAddition[]): Promise<void> {
  if (additions.length === 0) return;
  const list = (of: (addition: TileAddition) => string | number) => arrayLiteral(additions.map(of));
  await sql`select extend_log_tiles(${chain}, ${list(({ level }) => level)}::integer[], ${list(({ tile }) => tile)}::bigint[],
    ${list(({ offset }) => offset)}::integer[], ${list(({ hashes }) => hashes.toString('hex'))}::text[])`;
}

/** Waits until no other process extends the tree; holds until the transaction ends. */
export async function lockTree(transaction: Queryable, chain: ChainName): Promise<void> {
  await transaction`select pg_advisory_xact_lock(${BUILDING[chain]})`;
}

async function tryLockTree(transaction: Queryable, chain: ChainName): Promise<boolean> {
  const [lock] = await transaction<{ taken: boolean }[]>`select pg_try_advisory_xact_lock(${BUILDING[chain]}) as taken`;
  return lock?.taken === true;
}

/** A builder that continues the stored tree. */
async function continueTree(sql: Queryable, chain: ChainName, size: number): Promise<TreeBuilder> {
  return new TreeBuilder(size, await readStoredTiles(sql, chain)(edgeOf(size)));
}

/** Gives callers of this thread a turn after each tile. */
async function appendDigests(builder: TreeBuilder, digests: readonly string[]): Promise<void> {
  for (const [at, digest] of digests.entries()) {
    if (at % TILE_WIDTH === TILE_WIDTH - 1) await soon();
    builder.append(digest);
  }
}

export interface ExtendOptions {
  /** Appends only what fills tiles: the rest waits until somebody asks for the tree. */
  readonly onlyWholeTiles?: boolean;
  /** Whether it waits for another process that extends the tree. Default true; otherwise it leaves the work to that one. */
  readonly waits?: boolean;
}

/**
 * Appends the next entries of a log to its stored tree, in a transaction of its own. Several processes on one database take
 * turns.
 * @returns the size of the tree, and whether the log has more entries. @throws TreeFault
 */
export async function extendTree(
  sql: Sql,
  chain: ChainName,
  { onlyWholeTiles = false, waits = true }: ExtendOptions = {},
): Promise<{ readonly size: number; readonly more: boolean }> {
  const work = async (transaction: Queryable) => {
    if (waits) await lockTree(transaction, chain);
    else if (!(await tryLockTree(transaction, chain))) return { size: 0, more: false };
    const size = await readTreeSize(transaction, chain);
    const limit = PAGE - (size % TILE_WIDTH);
    const digests = await readDigests(transaction, chain, size, limit);
    const more = digests.length === limit;
    const unfinished = onlyWholeTiles ? (size + digests.length) % TILE_WIDTH : 0;
    if (digests.length <= unfinished) return { size, more: false };
    const builder = await continueTree(transaction, chain, size);
    await appendDigests(builder, digests.slice(0, digests.length - unfinished));
    await writeTiles(transaction, chain, builder.takeAdditions());
    return { size: builder.size, more };
  };
  return sql.begin(work);
}

/** A log's tree at one size. */
export interface LogTree {
  readonly chain: ChainName;
  readonly size: number;
  readonly root: Uint8Array;
  readonly read: ReadHashes;
}

/**
 * The tree over all entries that a log has now, first extended by those that it lacks. What its root depends on is compared with
 * the level below, and the last leaves with their entries, so that an edited tile gives no root.
 * @param onProgress called with the entries in the tree so far. @throws TreeFault
 */
export async function openTree(sql: Sql, chain: ChainName, onProgress?: (size: number) => void): Promise<LogTree> {
  const end = await lastEntry(sql, chain);
  let { size, more } = await extendTree(sql, chain);
  while (more && size < end) {
    onProgress?.(size);
    ({ size, more } = await extendTree(sql, chain));
  }
  if (size > (await lastEntry(sql, chain))) {
    throw new TreeFault(
      `${chain} ends at entry ${await lastEntry(sql, chain)}, but its tree has ${size}: entries were deleted. Run: gatewayctl journal verify`,
    );
  }
  await checkEdge(sql, chain, size);
  const read = readFromTiles(readStoredTiles(sql, chain));
  return { chain, size, root: await treeRoot(size, read), read };
}

async function lastEntry(sql: Queryable, chain: ChainName): Promise<number> {
  const [row] = await sql<{ last: bigint | null }[]>`select max(sequence) as last from ${sql(chain)}`;
  return Number(row?.last ?? 0);
}

async function checkEdge(sql: Queryable, chain: ChainName, size: number): Promise<void> {
  const readTiles = readStoredTiles(sql, chain);
  const edge = edgeOf(size);
  for (const [at, hashes] of (await readTiles(edge)).entries()) {
    const position = edge[at] as TilePosition;
    const count = Math.floor(hashes.length / HASH_BYTES);
    if (position.level === 0) await checkLeaves(sql, chain, size, hashes);
    else {
      const below = Array.from({ length: count }, (_, index) => ({
        level: position.level - 1,
        tile: position.tile * TILE_WIDTH + index,
      }));
      for (const [index, tile] of (await readTiles(below)).entries()) {
        if (index % 16 === 15) await soon(); // a tile takes a tenth of a millisecond
        const own = hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
        if (tile.length === TILE_WIDTH * HASH_BYTES && rootOfTile(tile).equals(own)) continue;
        throw changed(chain, below[index] as TilePosition);
      }
    }
  }
}

/** The last tile of leaves against the entries; archived ones are compared by `journal tree --verify --archive`. */
async function checkLeaves(sql: Queryable, chain: ChainName, size: number, hashes: Uint8Array): Promise<void> {
  const begin = size - (size % TILE_WIDTH);
  const rows = await sql<{ sequence: bigint; digest: string | null }[]>`
    select sequence, encode(digest, 'hex') as digest from ${sql(chain)} where sequence > ${begin} and sequence <= ${size}`;
  for (const { sequence, digest } of rows) {
    const at = (Number(sequence) - begin - 1) * HASH_BYTES;
    if (digest === null || !leafHash(digest).equals(hashes.subarray(at, at + HASH_BYTES))) {
      throw new TreeFault(`Entry ${sequence} of ${chain} is not the one in the stored tree. ${HOW_TO_REBUILD}`);
    }
  }
}

function changed(chain: ChainName, { level, tile }: TilePosition): TreeFault {
  return new TreeFault(
    `Tile ${tile} of level ${level} of the tree of ${chain} was changed: it is not what the level above has of it. ${HOW_TO_REBUILD}`,
  );
}
