import { readVerificationKey, type Signer, SigningKeyFault, type VerificationKey } from '@gateway/ledger';
import type { Queryable } from '../client/connect.ts';
import { ACTIONS, type ChainName, DECISIONS } from './names.ts';
import { SEALS_OF } from './read-chain.ts';

/** Publishes the public part of a signing key for verification: its id, the key, and the component that signs with it. */
export const REGISTER_SIGNING_KEY = `insert into signing_keys (id, public_key, component)
values ($1::text, $2::text, $3::text) on conflict (id) do nothing`;

export async function registerSigningKey(sql: Queryable, signer: Signer, component: string): Promise<void> {
  await sql.unsafe(REGISTER_SIGNING_KEY, [signer.keyId, signer.publicKey, component], { prepare: true });
}

/** Entries of a log that a key signed: the first, and the last. */
export interface SignedSpan {
  readonly chain: ChainName;
  readonly first: number;
  readonly last: number;
}

/** A key that is registered, or that signed something without being registered. */
export interface SigningKeyEntry {
  /** SHA-256 of the public key's SPKI form, hexadecimal. */
  readonly fingerprint: string;
  /** As it was registered; `unknown` for a key that is not. */
  readonly component: string;
  readonly registeredAt: string | null;
  /** PEM. */
  readonly publicKey: string | null;
  readonly endorsed: boolean;
  readonly endorsedAt: string | null;
  /** The author of the endorsement, or `owner role` where the owner registered the key. */
  readonly endorsedBy: string | null;
  /** Logs that had no entry when the key was registered: it may sign in these without an endorsement. */
  readonly emptyLogs: readonly ChainName[];
  readonly signed: readonly SignedSpan[];
}

interface KeyRow extends Omit<SigningKeyEntry, 'registeredAt' | 'endorsedAt' | 'endorsed' | 'signed'> {
  readonly registeredAt: Date | null;
  readonly endorsedAt: Date | null;
}

/** By key, the first and the last entry that it signed: a seal signs the entries since the seal before it. */
async function spansOf(sql: Queryable, chain: ChainName): Promise<ReadonlyMap<string, SignedSpan>> {
  const seals = sql(SEALS_OF[chain]);
  const rows = await sql<{ id: string; first: number; last: number }[]>`
    select key_id as id, coalesce((select max(sequence) from ${seals} where sequence < least), 0)::float8 + 1 as first,
      last::float8 as last
    from (select key_id, min(sequence) as least, max(sequence) as last from ${seals} where key_id is not null group by key_id) used`;
  return new Map(rows.map(({ id, first, last }) => [id, { chain, first, last }]));
}

/** Every registered key, the oldest first, then those that signed without being registered. */
export async function listSigningKeys(sql: Queryable): Promise<readonly SigningKeyEntry[]> {
  const spans = [await spansOf(sql, DECISIONS), await spansOf(sql, ACTIONS)];
  const rows = await sql<KeyRow[]>`
    select id as fingerprint, component, registered_at as "registeredAt", public_key as "publicKey", endorsed_at as "endorsedAt",
      endorsed_by as "endorsedBy", empty_logs as "emptyLogs"
    from signing_keys order by registered_at, id`;
  const registered = new Set(rows.map(({ fingerprint }) => fingerprint));
  const strange = new Set(spans.flatMap((of) => [...of.keys()]).filter((id) => !registered.has(id)));
  const unknown = { component: 'unknown', registeredAt: null, publicKey: null, endorsedAt: null, endorsedBy: null };
  const all: KeyRow[] = [...rows, ...[...strange].map((fingerprint) => ({ fingerprint, ...unknown, emptyLogs: [] }))];
  return all.map((row) => ({
    ...row,
    registeredAt: row.registeredAt?.toISOString() ?? null,
    endorsedAt: row.endorsedAt?.toISOString() ?? null,
    endorsed: isEndorsed(
      row,
      spans.flatMap((of) => of.get(row.fingerprint)?.chain ?? []),
    ),
    signed: spans.flatMap((of) => of.get(row.fingerprint) ?? []),
  }));
}

/** @param chains the logs in which the key signs */
function isEndorsed({ endorsedAt, emptyLogs }: KeyRow, chains: readonly ChainName[]): boolean {
  return endorsedAt !== null || (emptyLogs.length > 0 && chains.every((chain) => emptyLogs.includes(chain)));
}

/**
 * The endorsed keys whose seals count, by their id: in one log, or with null in any of the two. A row that is not the key it
 * claims to be is left out: its seals then fail.
 */
export async function readEndorsedKeys(
  sql: Queryable,
  chain: ChainName | null,
): Promise<ReadonlyMap<string, VerificationKey>> {
  const logs = chain === null ? [DECISIONS, ACTIONS] : [chain];
  return soundKeys(
    await sql`
      select id, public_key as "publicKey" from signing_keys where endorsed_at is not null or empty_logs && ${logs}::text[]`,
  );
}

/** Every registered key, endorsed or not. */
export async function readSigningKeys(sql: Queryable): Promise<ReadonlyMap<string, VerificationKey>> {
  return soundKeys(await sql`select id, public_key as "publicKey" from signing_keys`);
}

function soundKeys(rows: readonly { id?: string; publicKey?: string }[]): ReadonlyMap<string, VerificationKey> {
  const keys = new Map<string, VerificationKey>();
  for (const { id = '', publicKey = '' } of rows) {
    try {
      const key = readVerificationKey(publicKey);
      if (key.id === id) keys.set(id, key);
    } catch (error) {
      if (!(error instanceof SigningKeyFault)) throw error;
    }
  }
  return keys;
}

/**
 * Registers the key of a service when it starts.
 * @param chains the logs in which it signs
 * @returns the line for the operator where its entries will not be accepted; null where they will
 */
export async function announceSigningKey(
  sql: Queryable,
  signer: Signer,
  component: string,
  chains: readonly ChainName[],
): Promise<string | null> {
  await registerSigningKey(sql, signer, component);
  const accepted = await Promise.all(chains.map((chain) => readEndorsedKeys(sql, chain)));
  if (accepted.every((keys) => keys.has(signer.keyId))) return null;
  return (
    `GATEWAY_SIGNING_KEY_FILE: the key ${signer.keyId} is not endorsed, so that verification does not accept what it signs. ` +
    `As the owner of the database, run: gatewayctl journal keys endorse ${signer.keyId} --author NAME`
  );
}
