import { setImmediate as soon } from 'node:timers/promises';
import {
  type ChainedEntry,
  type Consistency,
  consistencyPath,
  type EntryProof,
  edgeOf,
  HASH_BYTES,
  inclusionPath,
  isConsistent,
  isIncluded,
  leafHash,
  link,
  makeTreeCheckpoint,
  type NoteKey,
  type PeriodProof,
  type ReadHashes,
  type ReadTiles,
  readFromTiles,
  readFrontier,
  rootAfter,
  rootOfTile,
  type Signer,
  TILE_WIDTH,
  type TileAddition,
  type TilePosition,
  TreeBuilder,
  type TreeCheckpoint,
  TreeFault,
  toBase64,
  toNoteKey,
  treeRoot,
} from '@gateway/ledger';
import { arrayLiteral } from '../client/array-literal.ts';
import type { Queryable, Sql } from '../client/connect.ts';
import { type ChainName, DECISIONS } from './names.ts';
import { readArchiveAnchor, readEntries } from './read-chain.ts';
import { readEndorsedKeys, registerSigningKey } from './signing-keys.ts';

/** Advisory locks: one writer extends a tree at a time. */
const BUILDING: Readonly<Record<ChainName, number>> = {
  authorization_decisions: 727_006,
  administration_actions: 727_007,
};

/** Entries that are appended to a tree in one transaction. */
const TREE_PAGE = 16 * TILE_WIDTH;

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
    const limit = TREE_PAGE - (size % TILE_WIDTH);
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

/** Who signs checkpoints, and under which name. */
export interface CheckpointSigner {
  readonly signer: Signer;
  readonly component: string;
  /** GATEWAY_LOG_ORIGIN; null where it is not set. */
  readonly origin: string | null;
}

/** A tree, and the checkpoint of it. */
export interface SignedTree {
  readonly tree: LogTree;
  readonly checkpoint: TreeCheckpoint;
}

/** Name of the keys of these logs. */
export async function readOriginName(sql: Queryable, origin: string | null): Promise<string> {
  return origin ?? `gateway/${await readLogInstance(sql)}`;
}

/** Every endorsed key in note form: what signs a checkpoint of these logs. */
export async function readNoteKeys(sql: Queryable, name: string): Promise<readonly NoteKey[]> {
  const keys = await readEndorsedKeys(sql, null);
  return [...keys.values()].map(({ key }) => toNoteKey(name, key));
}

/**
 * The tree over a whole log, and a checkpoint of it. The key is registered first, so that readers of the checkpoint find it.
 * @throws TreeFault where the stored tree is not the one of the log: nothing is signed then.
 */
export async function signTree(
  sql: Sql,
  chain: ChainName,
  { signer, component, origin }: CheckpointSigner,
  onProgress?: (size: number) => void,
): Promise<SignedTree> {
  await registerSigningKey(sql, signer, component);
  const tree = await openTree(sql, chain, onProgress);
  const name = await readOriginName(sql, origin);
  return {
    tree,
    checkpoint: makeTreeCheckpoint(signer, { origin: `${name}/${chain}`, size: tree.size, root: tree.root }),
  };
}

/** Which entries are meant. */
export type EntrySelection =
  | { readonly sequence: bigint }
  | { readonly id: string }
  | { readonly requestId: string }
  | { readonly subject: string; readonly from: string | null; readonly until: string | null };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The sequences of selected entries up to one, in their order. The subject of an administration action is its author. */
export async function selectEntries(
  sql: Queryable,
  chain: ChainName,
  selection: EntrySelection,
  upTo: number,
): Promise<readonly bigint[]> {
  const isDecision = chain === DECISIONS;
  const condition = () => {
    if ('sequence' in selection) return sql`sequence = ${selection.sequence}`;
    if ('id' in selection) return UUID.test(selection.id) ? sql`id = ${selection.id}` : null;
    if ('requestId' in selection) return isDecision ? sql`request_id = ${selection.requestId}` : null;
    const { subject, from, until } = selection;
    return sql`${sql(isDecision ? 'subject' : 'author')} = ${subject} and at >= coalesce(${from}::timestamptz, '-infinity')
      and at < coalesce(${until}::timestamptz, 'infinity')`;
  };
  const where = condition();
  if (where === null) return [];
  const rows = await sql<{ sequence: bigint }[]>`
    select sequence from ${sql(chain)} where ${where} and sequence <= ${upTo} order by sequence`;
  return rows.map(({ sequence }) => sequence);
}

/** Entries that are proven with one read. */
const PROOF_PAGE = 500;

/**
 * The proofs of entries in the database, in their order. Each is verified before it is given.
 * @throws TreeFault where an entry or the tree was changed.
 */
export async function* proveStored(
  sql: Queryable,
  { tree, checkpoint }: SignedTree,
  sequences: readonly bigint[],
): AsyncGenerator<EntryProof> {
  for (let at = 0; at < sequences.length; at += PROOF_PAGE) {
    const page = sequences.slice(at, at + PROOF_PAGE);
    for (const entry of await readEntries(sql, tree.chain, page)) yield await proveEntry(tree, checkpoint, entry);
  }
}

/** The proof of one entry, from wherever it was read. @throws TreeFault */
export async function proveEntry(
  tree: LogTree,
  { size, root }: TreeCheckpoint,
  entry: ChainedEntry,
): Promise<EntryProof> {
  const { sequence, entry: content, previous, digest } = entry;
  if (digestOf(entry) !== digest) {
    throw new TreeFault(`Entry ${sequence} of ${tree.chain} was changed: its content does not match its digest.`);
  }
  const index = Number(sequence) - 1;
  const path = await inclusionPath(index, size, tree.read);
  if (!isIncluded({ leaf: leafHash(digest), index, size, root, path })) {
    throw new TreeFault(
      `Entry ${sequence} of ${tree.chain} is not the one in the stored tree. Run: gatewayctl journal tree --verify`,
    );
  }
  return { index, entry: { chain: tree.chain, ...content, previous, digest }, path: path.map(toBase64) };
}

/** Entries of a period, at most: their digests are in memory and in one file. */
const LONGEST_PERIOD = 1_000_000;
const DIGESTS_AT_ONCE = 20_000;

/**
 * The digests of all entries between the first and the last one of a period, and their way to the root.
 * @returns null where the period has no entry. @throws TreeFault where it has too many, or one is missing
 */
export async function provePeriod(
  sql: Queryable,
  { chain, size, root, read }: LogTree,
  { from, until }: { readonly from: string | null; readonly until: string | null },
): Promise<PeriodProof | null> {
  const [range] = await sql<{ first: bigint | null; last: bigint | null }[]>`
    select min(sequence) as first, max(sequence) as last from ${sql(chain)}
    where at >= coalesce(${from}::timestamptz, '-infinity') and at < coalesce(${until}::timestamptz, 'infinity')
      and sequence <= ${size}`;
  if (range?.first == null || range.last == null) return null;
  const [first, end] = [Number(range.first) - 1, Number(range.last)];
  if (end - first > LONGEST_PERIOD) {
    throw new TreeFault(
      `The period has ${end - first} entries. Name a shorter one with --from and --until: at most ${LONGEST_PERIOD} entries.`,
    );
  }
  const digests: string[] = [];
  while (first + digests.length < end) {
    const after = first + digests.length;
    for (const digest of await readDigests(sql, chain, after, Math.min(DIGESTS_AT_ONCE, end - after)))
      digests.push(digest);
  }
  const frontier = await readFrontier(first, read);
  const path = await consistencyPath(end, size, read);
  const periodRoot = rootAfter(first, frontier, digests);
  if (periodRoot === null || !isConsistent({ old: { size: end, root: periodRoot }, size, root, path })) {
    throw new TreeFault(
      `The digests of entries ${first + 1} to ${end} of ${chain} are not those of the stored tree. Run: gatewayctl journal tree --verify`,
    );
  }
  return { first, digests, frontier: frontier.map(toBase64), path: path.map(toBase64) };
}

function digestOf({ previous, entry }: ChainedEntry): string | null {
  try {
    return link(previous, entry).digest;
  } catch {
    return null; // what cannot be hashed was never recorded
  }
}

/**
 * The proof that a tree continues an older one; null where it does not.
 * @param next a size of the tree, and the root at that size.
 */
export async function proveContinuation(
  { read }: Pick<LogTree, 'read'>,
  old: Consistency['old'],
  next: Consistency['old'],
): Promise<readonly Uint8Array[] | null> {
  if (old.size > next.size) return null;
  const path = await consistencyPath(old.size, next.size, read);
  return isConsistent({ old, ...next, path }) ? path : null;
}
