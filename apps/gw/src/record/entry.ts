import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import { legible } from '@gateway/contract/legible';
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

/** A record in the user's folder. */
export interface StoredRecord {
  readonly session: string;
  readonly path: string;
  /** Milliseconds since 1970 of the last change. */
  readonly changedAt: number;
}

/** Identifiers are UUIDs: a word from the command line or a file of somebody else names no other path. */
const FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

function recordFolder(home: string): string {
  return join(home, '.gateway', 'record');
}

export function recordPath(home: string, session: string): string {
  return join(recordFolder(home), `${session}.jsonl`);
}

export function isSession(word: string): boolean {
  return FILE.test(`${word}.jsonl`);
}

/** All records, the latest change first. */
export async function listRecords(home: string): Promise<readonly StoredRecord[]> {
  const folder = recordFolder(home);
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const found = names.map(async (name): Promise<StoredRecord | null> => {
    const session = FILE.exec(name)?.[1];
    if (session === undefined) return null;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => null);
    return stats?.isFile() === true ? { session, path, changedAt: stats.mtimeMs } : null;
  });
  const records = (await Promise.all(found)).filter((each) => each !== null);
  return records.sort((one, other) => other.changedAt - one.changedAt || (one.session < other.session ? 1 : -1));
}

/** Members of every entry, which the timeline shows in columns of their own or not at all. */
const COLUMNS = new Set(['sequence', 'at', 'kind', 'previous', 'digest']);
const LONGEST_DETAIL = 400;

/**
 * A record as people read it: one line an entry with its time of day, how long it took until the next one, what it is, and
 * its details. The day is named where it changes.
 */
export function timeline(entries: readonly RecordEntry[]): string {
  const lines: string[] = [];
  const width = Math.max(0, ...entries.map(({ kind }) => kind.length));
  const digits = String(entries.at(-1)?.sequence ?? 0).length;
  for (const [index, entry] of entries.entries()) {
    const day = dayOf(entry);
    if (index === 0 || dayOf(entries[index - 1]) !== day) lines.push(`${day} (UTC)`);
    const next = entries[index + 1];
    const took = next === undefined ? '' : duration(Date.parse(next.at) - Date.parse(entry.at));
    const columns = [String(entry.sequence).padStart(digits), entry.at.slice(11, 23), took.padStart(8)];
    lines.push(`  ${columns.join('  ')}  ${entry.kind.padEnd(width)}  ${detailsOf(entry)}`.trimEnd());
  }
  return lines.map((line) => `${line}\n`).join('');
}

function dayOf(entry: RecordEntry | undefined): string {
  return entry?.at.slice(0, 10) ?? '';
}

/** Milliseconds in the unit that a person would use. A clock that was set back gives none. */
export function duration(milliseconds: number): string {
  if (!(milliseconds >= 0)) return '';
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const minutes = Math.round(seconds) / 60;
  if (minutes < 60) return `${Math.floor(minutes)} m ${Math.round(seconds) % 60} s`;
  return minutes < 1440
    ? `${Math.floor(minutes / 60)} h ${Math.floor(minutes % 60)} m`
    : `${Math.floor(minutes / 1440)} d`;
}

function detailsOf(entry: RecordEntry): string {
  const parts = Object.entries(entry)
    .filter(([name]) => !COLUMNS.has(name))
    .map(([name, value]) => `${name}: ${formatValue(value)}`);
  return shorten(legible(parts.join(', ')));
}

function formatValue(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isTarget(value)) return value.value;
  return JSON.stringify(value);
}

function isTarget(value: JsonValue): value is { readonly kind: string; readonly value: string } {
  return (
    value !== null &&
    typeof value === 'object' &&
    'kind' in value &&
    'value' in value &&
    typeof value.value === 'string'
  );
}

function shorten(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= LONGEST_DETAIL) return text;
  return `${characters.slice(0, LONGEST_DETAIL).join('')} … (${characters.length - LONGEST_DETAIL} more characters: --json)`;
}
