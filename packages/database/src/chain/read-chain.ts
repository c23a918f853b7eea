import type { Decision } from '@gateway/contract';
import { type ChainedEntry, readVerificationKey, SigningKeyFault, type VerificationKey } from '@gateway/ledger';
import type { Queryable } from '../connect.ts';
import { actionEntry, type StoredAction } from './action-entry.ts';
import { decisionEntry } from './decision-entry.ts';
import { ACTIONS, type ChainName, DECISIONS } from './names.ts';

const SEALS_OF: Readonly<Record<ChainName, string>> = {
  [DECISIONS]: 'authorization_decision_seals',
  [ACTIONS]: 'administration_action_seals',
};

/** Where a chain ends, read in one snapshot: entries that are appended afterwards are beyond it. */
export interface ChainEnd {
  readonly lastEntry: bigint;
  readonly lastSeal: bigint;
  /** Of the last entry; null where there is none. */
  readonly digest: Buffer | null;
}

export async function readChainEnd(sql: Queryable, chain: ChainName): Promise<ChainEnd> {
  const [end] = await sql<ChainEnd[]>`
    select coalesce((select max(sequence) from ${sql(chain)}), 0) as "lastEntry",
      coalesce((select max(sequence) from ${sql(SEALS_OF[chain])}), 0) as "lastSeal",
      (select digest from ${sql(chain)} order by sequence desc limit 1) as digest`;
  if (!end) throw new Error('a select without a row');
  return end;
}

interface ChainColumns {
  readonly sequence: bigint;
  readonly previous: Buffer;
  readonly digest: Buffer;
  readonly sealKeyId: string | null;
  readonly sealSignature: Buffer | null;
}

type DecisionRow = ChainColumns & Omit<Decision, 'at'> & { readonly at: Date };
type ActionRow = ChainColumns & Omit<StoredAction, 'at'> & { readonly at: Date };

/** ISO 8601. What no entry ever held (`infinity`, put there behind our back) becomes a text that no digest covers. */
function isoTime(at: Date): string {
  return Number.isNaN(at.getTime()) ? 'no time' : at.toISOString();
}

function chained(row: ChainColumns, entry: ChainedEntry['entry']): ChainedEntry {
  const { sequence, previous, digest, sealKeyId, sealSignature } = row;
  const seal = sealKeyId !== null && sealSignature !== null ? { keyId: sealKeyId, signature: sealSignature } : null;
  return { sequence, entry, previous, digest, seal };
}

async function decisionsAfter(sql: Queryable, after: bigint, upTo: bigint, limit: number): Promise<ChainedEntry[]> {
  const rows = await sql<DecisionRow[]>`
    select entry.sequence, id, at, component, subject, credential, entry.key_id as "keyId", permission, resource, session,
      outcome, reason, status, roles, policy_revision as "policyRevision", detail, request_id as "requestId",
      source_address as "sourceAddress", previous, digest, seal.key_id as "sealKeyId", seal.signature as "sealSignature"
    from authorization_decisions entry left join authorization_decision_seals seal on seal.sequence = entry.sequence
    where entry.sequence > ${after} and entry.sequence <= ${upTo} order by entry.sequence limit ${limit}`;
  return rows.map((row) => chained(row, decisionEntry({ ...row, at: isoTime(row.at) }, row.sequence)));
}

async function actionsAfter(sql: Queryable, after: bigint, upTo: bigint, limit: number): Promise<ChainedEntry[]> {
  const rows = await sql<ActionRow[]>`
    select entry.sequence, id, at, component, author, action, target, old_value as "oldValue", new_value as "newValue",
      previous, digest, seal.key_id as "sealKeyId", seal.signature as "sealSignature"
    from administration_actions entry left join administration_action_seals seal on seal.sequence = entry.sequence
    where entry.sequence > ${after} and entry.sequence <= ${upTo} order by entry.sequence limit ${limit}`;
  return rows.map((row) => {
    const { id, at, component, author, action, target, oldValue, newValue } = row;
    const kept = { id, at: isoTime(at), component, author, action, target, oldValue, newValue };
    return chained(row, actionEntry(kept, row.sequence));
  });
}

const READ = { [DECISIONS]: decisionsAfter, [ACTIONS]: actionsAfter } as const;

/**
 * The entries of a chain in order, up to a sequence that was its last: what is appended meanwhile is left for the next
 * time. A page at a time, so that neither memory nor a long transaction grows with the log.
 */
export async function* readChain(
  sql: Queryable,
  chain: ChainName,
  upTo: bigint,
  { after = 0n, page = 2000 }: { readonly after?: bigint; readonly page?: number } = {},
): AsyncGenerator<ChainedEntry> {
  // Below every sequence a log can hold, so that entries that were put before the first are read, and found.
  let last = after === 0n ? -(2n ** 63n) : after;
  for (;;) {
    const entries = await READ[chain](sql, last, upTo, page);
    yield* entries;
    const end = entries.at(-1);
    if (!end) return;
    last = end.sequence;
  }
}

/** The registered public keys, by their id. A row that is not the key it claims to be is left out: its seals then fail. */
export async function readSigningKeys(sql: Queryable): Promise<ReadonlyMap<string, VerificationKey>> {
  const rows = await sql<{ id: string; publicKey: string }[]>`select id, public_key as "publicKey" from signing_keys`;
  const keys = new Map<string, VerificationKey>();
  for (const { id, publicKey } of rows) {
    try {
      const key = readVerificationKey(publicKey);
      if (key.id === id) keys.set(id, key);
    } catch (error) {
      if (!(error instanceof SigningKeyFault)) throw error;
    }
  }
  return keys;
}
