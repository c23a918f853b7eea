import { textOf } from './event.ts';

const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * What an event is but for one string. Most events of a stream are the one before with another text in the same place:
 * the place is known then, and all around it has been scanned.
 */
export interface Likeness {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Whether the event ends where `after` does: after a carriage return only the next byte can tell. */
  readonly whole: boolean;
}

/** @param before bytes of an event up to the string, and `after` those behind it; both are copied. */
export function likenessOf(before: Uint8Array, after: Uint8Array): Likeness {
  return { before: Buffer.from(before), after: Buffer.from(after), whole: after[after.length - 1] === LINE_FEED };
}

/** An event like the others, with this string. */
export function eventLike({ before, after }: Likeness, literal: string): Uint8Array {
  return Buffer.concat([before, Buffer.from(literal), after]);
}

/** Where the string ends of the event that stands at `at`; -1 where none does that is whole and like the others. */
export function stringEnd(bytes: Uint8Array, at: number, { before, after, whole }: Likeness): number {
  if (!whole || !standsAt(before, bytes, at)) return -1;
  let end = at + before.length;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return standsAt(after, bytes, end) ? end : -1;
}

/** The text that a string of JSON is; null where it is none. A line end cannot stand in it. */
export function stringOf(bytes: Uint8Array, from: number, to: number): string | null {
  try {
    return JSON.parse(`"${textOf(bytes, from, to)}"`) as string;
  } catch {
    return null;
  }
}

function standsAt(part: Uint8Array, bytes: Uint8Array, at: number): boolean {
  if (at + part.length > bytes.length) return false;
  for (let index = 0; index < part.length; index++) if (bytes[at + index] !== part[index]) return false;
  return true;
}
