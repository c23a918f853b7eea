import { legible } from '@gateway/contract/legible';
import type { JsonValue } from '@gateway/ledger';
import type { RecordEntry } from './entry.ts';

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
