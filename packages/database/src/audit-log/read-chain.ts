import type { Decision } from '@gateway/contract';
import {
  type ChainedEntry,
  type ChainFault,
  type Seal,
  UNTRUSTED,
  type VerificationKey,
  type VerificationResult,
  verifySeal,
} from '@gateway/ledger';
import { arrayLiteral } from '../client/array-literal.ts';
import type { Queryable } from '../client/connect.ts';
import { actionEntry, decisionEntry, type StoredAction } from './entries.ts';
import { ACTIONS, type ChainName, DECISIONS } from './names.ts';

export const SEALS_OF: Readonly<Record<ChainName, string>> = {
  [DECISIONS]: 'authorization_decision_seals',
  [ACTIONS]: 'administration_action_seals',
};

/** Where a chain ends, read in one snapshot: entries that are appended afterwards are beyond it. */
export interface ChainEnd {
  readonly lastEntry: bigint;
  readonly lastSeal: bigint;
  /** Digest of the last entry, hexadecimal; null for an empty log. */
  readonly digest: string | null;
}

export async function readChainEnd(sql: Queryable, chain: ChainName): Promise<ChainEnd> {
  const [end] = await sql<ChainEnd[]>`
    select coalesce((select max(sequence) from ${sql(chain)}), 0) as "lastEntry",
      coalesce((select max(sequence) from ${sql(SEALS_OF[chain])}), 0) as "lastSeal",
      (select encode(digest, 'hex') from ${sql(chain)} where sequence is not null order by sequence desc limit 1) as digest`;
  if (!end) throw new Error('a select without a row');
  return end;
}

/** As a table gives them that may have been tampered with, its constraints included. */
interface ChainColumns {
  readonly sequence: bigint | null;
  readonly previous: string | null;
  readonly digest: string | null;
  readonly sealKeyId: string | null;
  readonly sealSignature: Buffer | null;
}

type Row<Kept extends { readonly at: string }> = ChainColumns & Omit<Kept, 'at'> & { readonly at: Date | null };

/** ISO 8601. An impossible value (`infinity`, null) becomes a text that no digest covers. */
function isoTime(at: Date | null): string {
  return at === null || Number.isNaN(at.getTime()) ? 'no time' : at.toISOString();
}

/** Placeholder for a removed digest: no digest is as short. */
const NONE = '';

/** An entry that has lost its sequence has one that no entry ever had. */
const NO_SEQUENCE = 0n;

function toChainedEntry(row: ChainColumns, sequence: bigint, entry: ChainedEntry['entry']): ChainedEntry {
  const { previous, digest, sealKeyId, sealSignature } = row;
  const seal = sealKeyId !== null && sealSignature !== null ? { keyId: sealKeyId, signature: sealSignature } : null;
  return { sequence, entry, previous: previous ?? NONE, digest: digest ?? NONE, seal };
}

/** The entries in a span of sequences or with any of them, in order; with null instead, those without a sequence. */
type ReadEntries = (sql: Queryable, span: Span | readonly bigint[] | null, limit: number) => Promise<ChainedEntry[]>;
interface Span {
  readonly from: bigint;
  readonly upTo: bigint;
}

function within(sql: Queryable, span: Span | readonly bigint[] | null) {
  if (span === null) return sql`entry.sequence is null`;
  return 'from' in span
    ? sql`entry.sequence >= ${span.from} and entry.sequence <= ${span.upTo}`
    : sql`entry.sequence = any(${arrayLiteral(span)}::bigint[])`;
}

/** The time of an entry, stored in milliseconds: a more precise time was not recorded by us. */
function time(sql: Queryable) {
  return sql`case when at = date_trunc('milliseconds', at) then at end as at`;
}

/** Digests as the ledger writes them. */
function digests(sql: Queryable) {
  return sql`encode(previous, 'hex') as previous, encode(digest, 'hex') as digest`;
}

const decisions: ReadEntries = async (sql, span, limit) => {
  const rows = await sql<Row<Decision>[]>`
    select entry.sequence, id, ${time(sql)}, component, subject, credential, entry.key_id as "keyId", permission, resource,
      session, outcome, reason, status, roles, policy_revision as "policyRevision", detail, request_id as "requestId",
      source_address as "sourceAddress", ${digests(sql)}, seal.key_id as "sealKeyId", seal.signature as "sealSignature"
    from authorization_decisions entry left join authorization_decision_seals seal on seal.sequence = entry.sequence
    where ${within(sql, span)} order by entry.sequence limit ${limit}`;
  return rows.map((row) => {
    const sequence = row.sequence ?? NO_SEQUENCE;
    return toChainedEntry(row, sequence, decisionEntry({ ...row, at: isoTime(row.at) }, sequence));
  });
};

const actions: ReadEntries = async (sql, span, limit) => {
  const rows = await sql<Row<StoredAction>[]>`
    select entry.sequence, id, ${time(sql)}, component, author, action, target, old_value as "oldValue",
      new_value as "newValue", ${digests(sql)}, seal.key_id as "sealKeyId", seal.signature as "sealSignature"
    from administration_actions entry left join administration_action_seals seal on seal.sequence = entry.sequence
    where ${within(sql, span)} order by entry.sequence limit ${limit}`;
  return rows.map((row) => {
    const sequence = row.sequence ?? NO_SEQUENCE;
    const { id, at, component, author, action, target, oldValue, newValue } = row;
    const kept = { id, at: isoTime(at), component, author, action, target, oldValue, newValue };
    return toChainedEntry(row, sequence, actionEntry(kept, sequence));
  });
};

const READ: Readonly<Record<ChainName, ReadEntries>> = { [DECISIONS]: decisions, [ACTIONS]: actions };

/** The entries with these sequences, in order. */
export function readEntries(sql: Queryable, chain: ChainName, sequences: readonly bigint[]): Promise<ChainedEntry[]> {
  return READ[chain](sql, sequences, sequences.length);
}

/** The smallest sequence a table can contain, so that entries inserted before the first are read, and found. */
const LEAST = -(2n ** 63n);

/**
 * The entries of a chain in order, up to a sequence that was its last: later entries are left for the next run. Read in pages, so
 * that neither memory nor the transaction grows with the log. Without constraints in the table, entries without a sequence come
 * first, and duplicate sequences are not skipped.
 */
export async function* readChain(
  sql: Queryable,
  chain: ChainName,
  upTo: bigint,
  { after = 0n, page = 2000 }: { readonly after?: bigint; readonly page?: number } = {},
): AsyncGenerator<ChainedEntry> {
  if (after === 0n) yield* await READ[chain](sql, null, 1);
  let from = after === 0n ? LEAST : after + 1n;
  for (;;) {
    const entries = await READ[chain](sql, { from, upTo }, page + 1);
    const more = entries.length > page;
    // One more than the page is read, and used if it duplicates the last sequence: the next page begins after that.
    if (more && entries[page]?.sequence !== entries[page - 1]?.sequence) entries.pop();
    yield* entries;
    const end = entries.at(-1);
    if (!more || !end) return;
    from = end.sequence + 1n;
  }
}

/** Action of the act that records an archive. */
export const ARCHIVE_ACTION = 'log.archive';

/** The last archived entry of the decision log: the chain in the database continues after it. */
export interface ArchiveAnchor {
  readonly file: string;
  readonly sha256: string;
  readonly sequence: bigint;
  /** Of this entry, hexadecimal. */
  readonly digest: string;
  readonly seal: Seal;
  /** Whether all archived entries are removed from the database. */
  readonly removed: boolean;
}

/** Null where nothing of the decision log was archived. */
export async function readArchiveAnchor(sql: Queryable): Promise<ArchiveAnchor | null> {
  const [row] = await sql<(Omit<ArchiveAnchor, 'seal'> & { keyId: string; signature: Buffer })[]>`
    select file, sha256, last_sequence as sequence, encode(digest, 'hex') as digest, seal_key_id as "keyId",
      seal_signature as signature, removed_at is not null as removed
    from log_archives where log = 'decisions' order by last_sequence desc limit 1`;
  if (!row) return null;
  const { keyId, signature, ...rest } = row;
  return { ...rest, seal: { keyId, signature } };
}

type Fault = Extract<VerificationResult, { ok: false }>;

/**
 * The fault of the stored beginning of the chain: its signature must be valid, and the administration log must contain the act
 * that archived the earlier entries.
 */
export async function archiveAnchorFault(
  sql: Queryable,
  { sequence, digest, seal, file, sha256 }: ArchiveAnchor,
  keys: ReadonlyMap<string, VerificationKey>,
): Promise<Fault | null> {
  const fault = (kind: ChainFault, sentence: string): Fault => ({ ok: false, fault: kind, sequence, sentence });
  const key = keys.get(seal.keyId);
  if (!key) return fault('key', `Entry ${sequence} is signed by the key ${seal.keyId}, which ${UNTRUSTED}.`);
  if (!(await verifySeal(key, { chain: DECISIONS, sequence, digest }, seal))) {
    return fault('seal', `The signature over entry ${sequence}, the last archived one, is not valid.`);
  }
  const [act] = await sql<{ recorded: boolean }[]>`
    select exists (
      select from administration_actions where action = ${ARCHIVE_ACTION}
        and new_value::jsonb @> jsonb_build_object('file', ${file}::text, 'sha256', ${sha256}::text, 'digest', ${digest}::text,
          'last', ${sequence}::bigint)
    ) as recorded`;
  if (act?.recorded) return null;
  return fault(
    'archive',
    `Entries up to ${sequence} are marked as archived in ${file}, but the administration log records no such archive.`,
  );
}
