import { type JsonValue, link } from '@gateway/ledger';

/** What an entry of the record is about (the contract of `gw`, Record). */
export const RECORD_KINDS = [
  'session-started',
  'authentication',
  'prompt',
  'file-read',
  'file-modified',
  'proposed-action',
  'human-decision',
  'sandbox-execution',
  'policy-change',
  'purge',
  'session-ended',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/**
 * What a caller records. Members beside `kind` describe the action: names, targets, decisions; never the content of files,
 * output or answers. A member whose value is undefined is left out.
 */
export interface RecordInput {
  readonly kind: RecordKind;
  readonly [detail: string]: JsonValue | undefined;
}

/** An entry in the form of the file. */
export interface RecordEntry {
  /** Counts from 1. */
  readonly sequence: number;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  readonly kind: RecordKind;
  /** Digest of the entry before it, hexadecimal; zeros for the first. */
  readonly previous: string;
  /** SHA-256 over `previous` and the canonical JSON of the members other than these two. */
  readonly digest: string;
  readonly [detail: string]: JsonValue;
}

/** The position in a chain after which the next entry is appended. */
export interface Position {
  readonly sequence: number;
  readonly digest: string;
}

/** Members that the chain itself writes. */
const OWN = ['sequence', 'at', 'previous', 'digest'] as const;

/** @throws TypeError where the input names a member of the chain itself, NotCanonical where it is no JSON. */
export function entryBehind({ sequence, digest }: Position, at: Date, { kind, ...given }: RecordInput): RecordEntry {
  for (const name of OWN) if (name in given) throw new TypeError(`"${name}" is a member of every entry: rename it.`);
  const detail: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(given)) if (value !== undefined) detail[name] = value;
  const content = { sequence: sequence + 1, at: at.toISOString(), kind, ...detail };
  return { ...content, previous: digest, digest: link(digest, content).digest };
}

/** Whether an entry's digest is that of its content. */
export function digestHolds({ previous, digest, ...content }: RecordEntry): boolean {
  try {
    return link(previous, content).digest === digest;
  } catch {
    return false; // what cannot be hashed was never recorded
  }
}

const isDigest = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

/**
 * The entry of a line, or null. Only the exact form that is written here is accepted: no duplicate member, no other spacing.
 */
export function readEntry(line: string): RecordEntry | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (value === null || typeof value !== 'object' || JSON.stringify(value) !== line) return null;
  const { sequence, at, kind, previous, digest } = value as Partial<Record<string, unknown>>;
  const counts = typeof sequence === 'number' && Number.isSafeInteger(sequence) && sequence > 0;
  const isInstant = typeof at === 'string' && !Number.isNaN(Date.parse(at));
  const isKind = RECORD_KINDS.some((one) => one === kind);
  return counts && isInstant && isKind && isDigest(previous) && isDigest(digest) ? (value as RecordEntry) : null;
}
