import {
  type ChainedEntry,
  GENESIS,
  type JsonObject,
  link,
  type Signer,
  seal,
  type VerificationKey,
} from '@gateway/ledger';
import { CHAIN } from '../../packages/ledger/src/testing/tamperings.ts';
import type { Random } from '../support/random.ts';

/** One log, and its signers. */
export interface Case {
  readonly entries: readonly ChainedEntry[];
  readonly signers: readonly [Signer, Signer];
  readonly intruder: Signer;
  readonly keys: ReadonlyMap<string, VerificationKey>;
}

const OUTCOMES = [
  ['granted', 'role', 200],
  ['denied', 'role', 403],
  ['denied', 'unknown-key', 401],
] as const;
/** Texts that break what hashes or writes texts carelessly. */
const DETAILS = [null, '', 'zoë 😀', '"\\\r\n\t\u0001', 'a\u2028b', '\ufeff', 'x'.repeat(300)] as const;

/** The members that an entry of the decision log has. */
export function decisionAt(sequence: number, random: Random): JsonObject {
  const [outcome, reason, status] = random.pick(OUTCOMES);
  return {
    at: new Date(1_767_225_600_000 + sequence * 250).toISOString(),
    component: 'gateway',
    credential: 'key',
    detail: random.pick(DETAILS),
    id: `00000000-0000-7000-8000-${sequence.toString(16).padStart(12, '0')}`,
    keyId: null,
    outcome,
    permission: 'inference:appeler',
    policyRevision: random.below(3),
    reason,
    requestId: `request-${random.below(2 ** 31)}`,
    resource: 'endpoint:chat',
    roles: ['utilisateur-standard'],
    sequence,
    session: null,
    sourceAddress: '192.0.2.1',
    status,
    subject: `subject-${random.below(500)}`,
  };
}

/** Appends entries after a position of the log; each batch of up to `batch` entries is signed, and so is the last entry. */
export function* continued(
  behind: { readonly sequence: bigint; readonly digest: string } | null,
  entries: Iterable<JsonObject>,
  signerAt: (sequence: number) => Signer,
  isSealed: (sequence: number) => boolean,
): Generator<ChainedEntry> {
  let previous = behind?.digest ?? GENESIS;
  for (const entry of entries) {
    const number = Number(entry['sequence']);
    const sequence = BigInt(number);
    const { digest } = link(previous, entry);
    const signed = isSealed(number) ? seal(signerAt(number), { chain: CHAIN, sequence, digest }) : null;
    yield { sequence, entry, previous, digest, seal: signed };
    previous = digest;
  }
}

/** Decisions numbered from `first` to `last`. */
export function* decisions(first: number, last: number, random: Random): Generator<JsonObject> {
  for (let sequence = first; sequence <= last; sequence += 1) yield decisionAt(sequence, random);
}

/** Numbers behind which a batch ends: batches of one entry and of up to `longest`. */
export function batchEnds(count: number, longest: number, random: Random): ReadonlySet<number> {
  const ends = new Set([count]);
  for (let end = 0; end < count; end += 1 + random.below(longest)) ends.add(end);
  return ends;
}

/** A whole log. Its second half is signed with another key, as after a rotation. */
export function logOf(count: number, [first, second]: readonly [Signer, Signer], random: Random): ChainedEntry[] {
  const ends = batchEnds(count, 16, random);
  return [
    ...continued(
      null,
      decisions(1, count, random),
      (sequence) => (sequence <= count / 2 ? first : second),
      (sequence) => ends.has(sequence),
    ),
  ];
}
