import {
  type ChainedEntry,
  createSigner,
  generateSigningKey,
  readVerificationKey,
  type Signer,
  type VerificationKey,
  type VerificationResult,
  verifyChain,
} from '@gateway/ledger';
import { CHAIN, TAMPERINGS } from '../../packages/ledger/src/testing/tamperings.ts';
import { type Random, randomOf } from '../support/random.ts';
import { AGAINST_CHECKPOINT } from './against-checkpoint.ts';
import { type Case, logOf } from './log.ts';

export interface TamperingOptions {
  readonly seed: number;
  /** Length of the log that is tampered with. */
  readonly entries: number;
  /** Untouched logs that must raise no alarm. */
  readonly cleanLogs: number;
  /** Interval of checkpoints, in entries. */
  readonly checkpointEvery: number;
  readonly report: (line: string) => void;
}

/** How many positions a kind of tampering was tried at, and at how many it was detected. */
export interface Detected {
  readonly positions: number;
  readonly detected: number;
}

export interface TamperingReport {
  readonly seed: number;
  readonly entries: number;
  readonly checkpointEvery: number;
  readonly kinds: Readonly<Record<string, Detected>>;
  readonly cleanLogs: number;
  readonly cleanEntries: number;
  readonly falseAlarms: number;
}

/** Positions at which the log is verified from its first entry on. */
const WHOLE = 5;

async function* asRows(entries: Iterable<ChainedEntry>): AsyncGenerator<ChainedEntry> {
  yield* entries;
}

const keysOf = (signers: readonly Signer[]): ReadonlyMap<string, VerificationKey> =>
  new Map(signers.map(({ keyId, publicKey }) => [keyId, readVerificationKey(publicKey)]));

const newSigner = (): Signer => createSigner(generateSigningKey());

async function atEachPosition(
  count: number,
  isDetected: (index: number) => Promise<boolean>,
): Promise<{ positions: number; detected: number }> {
  let detected = 0;
  for (let index = 0; index < count; index += 1) detected += (await isDetected(index)) ? 1 : 0;
  return { positions: count, detected };
}

/** Entries up to the second signature behind a position: a fault in them is one of the whole log. */
function* untilSigned(entries: Iterable<ChainedEntry>, index: number): Generator<ChainedEntry> {
  let signatures = 0;
  for (const entry of entries) {
    yield entry;
    if (entry.sequence > index && entry.seal !== null) signatures += 1;
    if (signatures === 2) return;
  }
}

/**
 * Tampers with a log at each position, in each way. The entries before the position are those that were verified as untouched, so
 * verification begins two entries before it. At some positions, and where nothing was found, the whole log is verified.
 */
async function withoutCheckpoint({ entries, keys, intruder }: Case, report: TamperingOptions['report']) {
  const kinds: Record<string, Detected> = {};
  const step = Math.max(1, Math.floor(entries.length / WHOLE));
  for (const [kind, tamper] of Object.entries(TAMPERINGS)) {
    const isFoundNear = async (index: number): Promise<boolean> => {
      const from = Math.max(0, index - 2);
      const behind = entries[from - 1];
      const near = untilSigned(tamper(entries, index, intruder, from), index);
      const verdict = await verifyChain(asRows(near), { chain: CHAIN, keys, ...(behind ? { behind } : {}) });
      return !verdict.ok && verdict.fault !== 'unsealed';
    };
    const isFound = async (index: number): Promise<boolean> => {
      const options = { chain: CHAIN, keys, lastSeal: BigInt(entries.length) };
      return !(await verifyChain(asRows(tamper(entries, index, intruder)), options)).ok;
    };
    report(kind);
    kinds[kind] = await atEachPosition(
      entries.length,
      async (index) => (index % step !== 0 && (await isFoundNear(index))) || isFound(index),
    );
  }
  return kinds;
}

async function withCheckpoint(log: Case, { checkpointEvery, report }: TamperingOptions, random: Random) {
  const { entries, keys, intruder } = log;
  // The operator of the database registers the intruder's key, too: only the checkpoint speaks against the log.
  const registered = new Map([...keys, ...keysOf([intruder])]);
  const kinds: Record<string, Detected> = {};
  for (const [kind, make] of Object.entries(AGAINST_CHECKPOINT)) {
    report(kind);
    kinds[kind] = await atEachPosition(entries.length, async (index) => {
      const next = Math.min(entries.length, (Math.floor(index / checkpointEvery) + 1) * checkpointEvery);
      const behind = entries[index - 1];
      const checkpoint = entries[next - 1] as ChainedEntry;
      const options = { chain: CHAIN, keys: registered, ...(behind ? { behind } : {}) };
      const made = (): AsyncGenerator<ChainedEntry> => asRows(make(log, index, next, randomOf(index)));
      const verdict = await verifyChain(made(), { ...options, checkpoint });
      // Without the checkpoint nothing speaks against it. Verified for some positions: it takes as long again.
      if (random.below(50) === 0 && !(await verifyChain(made(), options)).ok) {
        throw new Error(`${kind}: position ${index + 1} is detected without a checkpoint.`);
      }
      return !verdict.ok && (verdict.fault === 'truncated' || verdict.fault === 'forked');
    });
  }
  return kinds;
}

/** Verifies untouched logs of many lengths, with a checkpoint of one of their entries. */
async function cleanLogs({ cleanLogs: count, entries: longest }: TamperingOptions, random: Random) {
  let falseAlarms = 0;
  let cleanEntries = 0;
  for (let number = 0; number < count; number += 1) {
    const length = 1 + random.below(number % 100 === 0 ? longest : 200);
    const signers = [newSigner(), newSigner()] as const;
    const entries = logOf(length, signers, random);
    const options = { chain: CHAIN, keys: keysOf(signers), lastSeal: BigInt(length) };
    const checkpoint = entries[random.below(length)] as ChainedEntry;
    const verdicts: VerificationResult[] = [
      await verifyChain(asRows(entries), options),
      await verifyChain(asRows(entries), { ...options, checkpoint }),
    ];
    falseAlarms += verdicts.filter(({ ok }) => !ok).length;
    cleanEntries += length;
  }
  return { falseAlarms, cleanEntries };
}

export function caseOf(entries: number, random: Random): Case {
  const signers = [newSigner(), newSigner()] as const;
  return { entries: logOf(entries, signers, random), signers, intruder: newSigner(), keys: keysOf(signers) };
}

export async function runTampering(options: TamperingOptions): Promise<TamperingReport> {
  const { seed, entries, checkpointEvery, report } = options;
  const random = randomOf(seed);
  const log = caseOf(entries, random);
  const kinds = {
    ...(await withoutCheckpoint(log, report)),
    ...(await withCheckpoint(log, options, random)),
  };
  report(`${options.cleanLogs} untouched logs`);
  const clean = await cleanLogs(options, random);
  return { seed, entries, checkpointEvery, kinds, cleanLogs: options.cleanLogs, ...clean };
}

export const isSound = ({ kinds, falseAlarms }: TamperingReport): boolean =>
  falseAlarms === 0 && Object.values(kinds).every(({ positions, detected }) => positions === detected);
