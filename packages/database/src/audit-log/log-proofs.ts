import {
  type ChainedEntry,
  type Consistency,
  consistencyPath,
  type EntryProof,
  inclusionPath,
  isConsistent,
  isIncluded,
  leafHash,
  link,
  makeTreeCheckpoint,
  type NoteKey,
  type PeriodProof,
  readFrontier,
  rootAfter,
  type Signer,
  type TreeCheckpoint,
  TreeFault,
  toBase64,
  toNoteKey,
} from '@gateway/ledger';
import type { Queryable, Sql } from '../client/connect.ts';
import { type LogTree, openTree, readDigests, readLogInstance } from './log-tree.ts';
import { type ChainName, DECISIONS } from './names.ts';
import { readEntries } from './read-chain.ts';
import { readEndorsedKeys, registerSigningKey } from './signing-keys.ts';

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
const PAGE = 500;

/**
 * The proofs of entries in the database, in their order. Each is verified before it is given.
 * @throws TreeFault where an entry or the tree was changed.
 */
export async function* proveStored(
  sql: Queryable,
  { tree, checkpoint }: SignedTree,
  sequences: readonly bigint[],
): AsyncGenerator<EntryProof> {
  for (let at = 0; at < sequences.length; at += PAGE) {
    const page = sequences.slice(at, at + PAGE);
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
