import { setImmediate as soon } from 'node:timers/promises';
import {
  type ChainedEntry,
  HASH_BYTES,
  leafHash,
  TILE_WIDTH,
  type TileAddition,
  TreeBuilder,
  TreeFault,
  type VerificationResult,
  type VerifyOptions,
  verifyChain,
} from '@gateway/ledger';
import type { Queryable, Sql } from '../client/connect.ts';
import { lockTree, readDigests, readStoredTiles, writeTiles } from './log-tree.ts';
import { type ChainName, DECISIONS } from './names.ts';
import { type ArchiveAnchor, archiveAnchorFault, type ChainEnd, readArchiveAnchor, readChain } from './read-chain.ts';

/** Entries that are read at once. */
const PAGE = 16 * TILE_WIDTH;

/** Digests of archived entries, from the first entry on, hexadecimal. */
export type Archived = AsyncIterable<string>;

/** Hashes of leaves behind a size, from the entries in the database, in pages. */
async function* leavesAfter(sql: Queryable, chain: ChainName, after: number, upTo: number): AsyncGenerator<Buffer[]> {
  for (let at = after; at < upTo; ) {
    const digests = await readDigests(sql, chain, at, Math.min(PAGE, upTo - at));
    if (digests.length === 0) return;
    at += digests.length;
    yield digests.map(leafHash);
  }
}

/** Hashes of leaves in pages, those of archives first. @param upTo entries; Infinity: up to the end of the log. */
async function* leavesOf(sql: Queryable, chain: ChainName, upTo: number, archived: Archived): AsyncGenerator<Buffer[]> {
  let at = 0;
  let page: Buffer[] = [];
  for await (const digest of archived) {
    if (at === upTo) break;
    at += 1;
    page.push(leafHash(digest));
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
  yield* leavesAfter(sql, chain, at, upTo);
}

/** Hashes of leaves whose entries are not in the database, from their stored tiles. */
async function* storedLeaves(sql: Queryable, chain: ChainName, upTo: number): AsyncGenerator<Buffer[]> {
  const readTiles = readStoredTiles(sql, chain);
  for (let at = 0; at < upTo; at += TILE_WIDTH) {
    const [tile = Buffer.alloc(0)] = await readTiles([{ level: 0, tile: at / TILE_WIDTH }]);
    const count = Math.min(TILE_WIDTH, upTo - at);
    yield Array.from({ length: count }, (_, index) =>
      Buffer.from(tile.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES)),
    );
  }
}

async function* followedBy(first: AsyncIterable<Buffer[]>, second: AsyncIterable<Buffer[]>): AsyncGenerator<Buffer[]> {
  yield* first;
  yield* second;
}

/** Appends pages of leaves, and gives what each page adds to the tiles. */
async function* additionsOf(
  leaves: AsyncIterable<Buffer[]>,
  onProgress: (entries: number) => void,
): AsyncGenerator<readonly TileAddition[]> {
  const builder = new TreeBuilder();
  for await (const page of leaves) {
    for (const leaf of page) builder.appendLeaf(leaf);
    yield builder.takeAdditions();
    onProgress(builder.size);
    await soon();
  }
}

async function isEmpty(archived: Archived): Promise<boolean> {
  for await (const _ of archived) return false;
  return true;
}

/**
 * Computes a stored tree again from the entries, and compares every tile. Without the archives of entries that are no longer in
 * the database, their leaves are taken from the tiles, and the levels above are compared with them.
 * @param size of the tree. @param archived opens the archives. @throws TreeFault names the first tile that differs.
 */
export async function verifyTree(
  sql: Sql,
  chain: ChainName,
  size: number,
  archived: () => Archived,
  onProgress: (entries: number) => void = () => {},
): Promise<void> {
  const [row] = await sql<{ first: bigint | null }[]>`select min(sequence) as first from ${sql(chain)}`;
  const absent = (await isEmpty(archived())) ? Math.min(size, Number(row?.first ?? 1) - 1) : 0;
  const leaves =
    absent > 0
      ? followedBy(storedLeaves(sql, chain, absent), leavesAfter(sql, chain, absent, size))
      : leavesOf(sql, chain, size, archived());
  const readTiles = readStoredTiles(sql, chain);
  for await (const additions of additionsOf(leaves, onProgress)) {
    const stored = await readTiles(additions);
    for (const [at, addition] of additions.entries()) {
      const from = addition.offset * HASH_BYTES;
      const kept = stored[at]?.subarray(from, from + addition.hashes.length) ?? Buffer.alloc(0);
      if (!addition.hashes.equals(kept)) throw different(chain, addition, size);
    }
  }
  await checkExtent(sql, chain);
}

function different(chain: ChainName, { level, tile }: TileAddition, size: number): TreeFault {
  const width = TILE_WIDTH ** (level + 1);
  return new TreeFault(
    `Tile ${tile} of level ${level} of ${chain} is not the one of entries ${tile * width + 1} to ${Math.min(size, (tile + 1) * width)}: ` +
      'the tile or an entry was changed. Run: gatewayctl journal verify --since with a checkpoint kept elsewhere',
  );
}

/** Each level has the tiles of the size that the leaves say, and no others. */
async function checkExtent(sql: Queryable, chain: ChainName): Promise<void> {
  const levels = await sql<{ level: number; tiles: number; last: number; hashes: number }[]>`
    select level, count(*)::float8 as tiles, max(tile)::float8 as last, sum(octet_length(hashes))::float8 / ${HASH_BYTES} as hashes
    from log_tiles where chain = ${chain} group by level order by level`;
  const size = levels[0]?.level === 0 ? levels[0].hashes : 0;
  const wrong = levels.find(({ level, tiles, last, hashes }) => {
    const expected = Math.floor(size / TILE_WIDTH ** level);
    return expected === 0 || hashes !== expected || tiles !== Math.ceil(expected / TILE_WIDTH) || last !== tiles - 1;
  });
  if (wrong === undefined) return;
  throw new TreeFault(`Level ${wrong.level} of the tree of ${chain} has tiles that a tree of ${size} entries has not.`);
}

/**
 * Replaces the stored tiles by those of the entries, in one transaction. The owner of the database alone may.
 * @param archived digests of the entries that are no longer in the database. @throws TreeFault: then the tiles stay
 */
export async function rebuildTree(
  sql: Sql,
  chain: ChainName,
  archived: Archived,
  onProgress: (entries: number) => void = () => {},
): Promise<void> {
  await sql.begin(async (transaction) => {
    await lockTree(transaction, chain);
    await transaction`delete from log_tiles where chain = ${chain}`;
    const leaves = leavesOf(transaction, chain, Number.POSITIVE_INFINITY, archived);
    for await (const additions of additionsOf(leaves, onProgress)) await writeTiles(transaction, chain, additions);
  });
}

interface LogVerification extends Pick<VerifyOptions, 'keys' | 'checkpoint' | 'onProgress' | 'onEntry'> {
  /** Entries of archives, which go before those of the database. */
  readonly archived?: {
    readonly entries: () => AsyncIterable<ChainedEntry>;
    readonly behind: NonNullable<VerifyOptions['behind']>;
  };
  /** What the entries go through on their way: a reader may leave. */
  readonly through?: (entries: AsyncIterable<ChainedEntry>) => AsyncIterable<ChainedEntry>;
}

async function* concatenate(first: AsyncIterable<ChainedEntry>, second: AsyncIterable<ChainedEntry>) {
  yield* first;
  yield* second;
}

/**
 * Verifies a log in the database: from its first entry, or from the position after its last archive, up to an end read before. A
 * concurrent archive is no fault: then it starts over, after that one.
 */
export async function verifyLog(
  sql: Queryable,
  chain: ChainName,
  end: ChainEnd,
  verification: LogVerification,
): Promise<VerificationResult> {
  const anchorNow = () => (chain === DECISIONS ? readArchiveAnchor(sql) : null);
  for (let anchor = await anchorNow(); ; ) {
    const result = await verifyBehind(sql, chain, end, anchor, verification);
    if (result.ok) return result;
    const now = await anchorNow();
    if (now?.file === anchor?.file && now?.removed === anchor?.removed) return result;
    anchor = now;
  }
}

async function verifyBehind(
  sql: Queryable,
  chain: ChainName,
  { lastEntry, lastSeal }: ChainEnd,
  anchor: ArchiveAnchor | null,
  { archived, through = (entries) => entries, ...given }: LogVerification,
): Promise<VerificationResult> {
  const options = { ...given, chain, lastSeal };
  if (anchor === null && archived === undefined) {
    return verifyChain(through(readChain(sql, chain, lastEntry)), options);
  }
  const fault = anchor && (await archiveAnchorFault(sql, anchor, given.keys));
  if (fault) return fault;
  // Once they are removed, an entry before this position was inserted by an attacker.
  const after = anchor !== null && (archived !== undefined || !anchor.removed) ? anchor.sequence : 0n;
  const kept = readChain(sql, chain, lastEntry, { after });
  const entries = archived === undefined ? kept : concatenate(archived.entries(), kept);
  const behind = archived?.behind ?? anchor;
  return verifyChain(through(entries), behind === null ? options : { ...options, behind });
}
