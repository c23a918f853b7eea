import {
  type ChainFault,
  type Seal,
  UNTRUSTED,
  type VerificationKey,
  type VerificationResult,
  verifySeal,
} from '@gateway/ledger';
import type { Queryable } from '../client/connect.ts';
import { DECISIONS } from './names.ts';

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
