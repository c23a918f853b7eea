/** So many events are looked for at a time, so that a search that finds none costs no more than reading them would. */
const AT_ONCE = 32;
/** Most characters that are looked through at a time. */
const LONGEST = 64 * 1024;

/**
 * What an event is but for one string. Most events of a stream are the one before with another text in the same place:
 * the place is known then, and all around it has been scanned. In latin1, a character for each byte.
 */
export interface Likeness {
  readonly before: string;
  readonly after: string;
  /** All that stands between the strings of two such events. */
  readonly between: string;
  /** Whether the event ends where `after` does: after a carriage return only the next byte can tell. */
  readonly whole: boolean;
}

/** @param before bytes of an event up to the string, and `after` those behind it. */
export function likenessOf(before: Uint8Array, after: Uint8Array): Likeness {
  const [head, tail] = [latin1(before), latin1(after)];
  return { before: head, after: tail, between: tail + head, whole: tail.endsWith('\n') };
}

/** An event like the others, with this string. */
export function eventLike({ before, after }: Likeness, literal: string): Uint8Array {
  return Buffer.concat([Buffer.from(before, 'latin1'), Buffer.from(literal), Buffer.from(after, 'latin1')]);
}

/**
 * Visits whole events that follow each other from `at` on and are alike, until one is not or `visit` says false. One
 * search for what stands between their strings finds many at once, several times quicker than reading them.
 * @param visit gets the string as it stands there, and the text it is.
 * @returns how many were visited; unless none was, there may be more behind them.
 */
export function visitAlike(
  bytes: string,
  at: number,
  { before, after, between, whole }: Likeness,
  visit: (literal: string, text: string) => boolean,
): number {
  if (!whole || !bytes.startsWith(before, at)) return 0;
  const from = at + before.length;
  const literals = bytes.slice(from, from + Math.min(LONGEST, AT_ONCE * between.length)).split(between);
  let index = 0;
  for (; index < literals.length - 1; index++) {
    const literal = literals[index] as string;
    const text = textOf(literal);
    if (text === null) break;
    if (!visit(literal, text)) return index + 1;
  }
  // Behind the last one, or in it, begins what is not like them.
  const last = literals[index] as string;
  const end = last.indexOf(after);
  const text = end < 0 ? null : textOf(last.slice(0, end));
  if (text === null) return index;
  visit(last.slice(0, end), text);
  return index + 1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The text that a string of JSON is; null where it is none. A line end cannot stand in it. */
function textOf(literal: string): string | null {
  let escaped = false;
  let foreign = false;
  for (let at = 0; at < literal.length; at++) {
    const character = literal.charCodeAt(at);
    if (character < 0x20 || character === QUOTE) return null;
    if (character === BACKSLASH) {
      escaped = true;
      at++;
    } else if (character > 0x7f) foreign = true;
  }
  const text = foreign ? Buffer.from(literal, 'latin1').toString() : literal;
  return escaped ? unescaped(text) : text;
}

function unescaped(text: string): string | null {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return null;
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}
