import { NARROWED } from './bytes.ts';
import type { JsonEvents, LiteralKind } from './literal.ts';

const SMALL = 30;

/** Which containers are open: objects or arrays. One bit each, for a body may nest without end. */
export class OpenContainers {
  depth = 0;
  /** The innermost ones, up to the first `SMALL` levels; bit 0 is the outermost. */
  #small = 0;
  #more: Uint8Array | null = null;

  open(isObject: boolean): void {
    const level = this.depth++;
    if (level < SMALL) {
      const bit = 1 << level;
      this.#small = isObject ? this.#small | bit : this.#small & ~bit;
      return;
    }
    const index = (level - SMALL) >> 3;
    const bit = 1 << ((level - SMALL) & 7);
    const bits = this.#room(index);
    bits[index] = isObject ? (bits[index] as number) | bit : (bits[index] as number) & ~bit;
  }

  close(): void {
    this.depth--;
  }

  clear(): void {
    this.depth = 0;
  }

  /** Whether the innermost one is an object; false where none is open. */
  get isObject(): boolean {
    const level = this.depth - 1;
    if (level < 0) return false;
    if (level < SMALL) return ((this.#small >> level) & 1) === 1;
    return (((this.#more?.[(level - SMALL) >> 3] ?? 0) >> ((level - SMALL) & 7)) & 1) === 1;
  }

  #room(index: number): Uint8Array {
    if (this.#more !== null && index < this.#more.length) return this.#more;
    const larger = new Uint8Array(Math.max(128, index * 2));
    if (this.#more !== null) larger.set(this.#more);
    this.#more = larger;
    return larger;
  }
}

/** The tokens that may come next. */
const VALUE = 0;
const ELEMENT = 1;
const NAME = 2;
const NAME_END = 3;
const AFTER = 4;
const BETWEEN_VALUES = 5;

/**
 * Which token may follow which, as tolerant parsers have it, and whether RFC 8259 has it so, too. Questions that are answered with
 * true take the token; after false it cannot be read.
 */
export class Grammar {
  /** Top-level values that were read whole. */
  values = 0;
  isStrict = true;
  readonly #events: JsonEvents;
  readonly #open = new OpenContainers();
  #next = BETWEEN_VALUES;
  /** A comma came last: RFC 8259 allows no closing bracket then. */
  #afterComma = false;

  constructor(events: JsonEvents) {
    this.#events = events;
  }

  /** Whether a top-level value may begin here, or none has begun yet. */
  get isBetweenValues(): boolean {
    return this.#next === BETWEEN_VALUES;
  }

  /** After the first value anything may follow. */
  junk(): boolean {
    if (this.#next !== BETWEEN_VALUES || this.values === 0) return false;
    this.isStrict = false;
    return true;
  }

  comma(): boolean {
    if (this.#next === AFTER) {
      this.#events.comma?.(this.#open.depth);
      this.#next = this.#open.isObject ? NAME : ELEMENT;
    } else if (this.#next === NAME || this.#next === ELEMENT) this.isStrict = false;
    else return this.junk();
    this.#afterComma = true;
    return true;
  }

  colon(): boolean {
    if (this.#next !== NAME_END) return this.junk();
    this.#next = VALUE;
    return true;
  }

  /** Whether a string that begins here is a name, even where the comma before it is missing. */
  name(): boolean {
    if (this.#next === AFTER && this.#open.isObject) this.#missComma();
    return this.#next === NAME;
  }

  nameEnds(from: number, to: number): void {
    this.#next = NAME_END;
    this.#events.name?.(from, to, this.#open.depth);
  }

  /** Whether a value may begin here. */
  value(): boolean {
    if (this.#next === AFTER && !this.#open.isObject) this.#missComma();
    if (this.#next === VALUE || this.#next === ELEMENT) return true;
    return this.#next === BETWEEN_VALUES && (this.values === 0 || this.junk());
  }

  stringEnds(from: number, to: number): void {
    this.#events.string?.(from, to, this.#open.depth);
    this.#valueEnds();
  }

  literalEnds(kind: LiteralKind, from: number, to: number): void {
    if (kind === 'other') this.isStrict = false;
    this.#events.literal?.(kind, from, to, this.#open.depth);
    this.#valueEnds();
  }

  begin(isObject: boolean, at: number): boolean {
    if (!this.value()) return false;
    this.#events.open?.(isObject, at, this.#open.depth);
    this.#open.open(isObject);
    this.#next = isObject ? NAME : ELEMENT;
    this.#afterComma = false;
    return true;
  }

  close(isObject: boolean, at: number): boolean {
    const open = this.#open;
    if (this.#next === BETWEEN_VALUES) return this.junk();
    if (open.isObject !== isObject || this.#next === VALUE || this.#next === NAME_END) return false;
    if (this.#afterComma && this.#next !== AFTER) this.isStrict = false;
    open.close();
    this.#events.close?.(isObject, at, open.depth);
    this.#valueEnds();
    return true;
  }

  /** The incomplete value is void. */
  break(at: number): void {
    this.isStrict = false;
    this.#events.broken?.(at);
    this.#open.clear();
    this.#next = BETWEEN_VALUES;
  }

  #missComma(): void {
    this.isStrict = false;
    this.comma();
  }

  #valueEnds(): void {
    this.#afterComma = false;
    this.#next = AFTER;
    if (this.#open.depth > 0) return;
    this.#next = BETWEEN_VALUES;
    this.values++;
  }
}

/**
 * The state of a comment: `begun` after its first solidus, `star` after a star that may end it, the two `separator`s within a
 * character (U+2028, U+2029) that ends a line in JSON5.
 */
export type Comment = 'begun' | 'line' | 'separator-1' | 'separator-2' | 'block' | 'star' | 'ended' | 'none';

const STAR = 0x2a;
const SOLIDUS = 0x2f;

/** The comment after one more byte; `none` if it is no comment. */
export function commentStep(comment: Comment, byte: number, narrowed: boolean): Comment {
  if (comment === 'block' || comment === 'star') {
    if (byte === STAR) return 'star';
    return comment === 'star' && byte === SOLIDUS ? 'ended' : 'block';
  }
  if (comment === 'begun') {
    if (byte === SOLIDUS) return 'line';
    return byte === STAR ? 'block' : 'none';
  }
  if (byte === 0x0a || byte === 0x0d || (narrowed && byte === NARROWED.lineEnd)) return 'ended';
  if (byte === 0xe2) return 'separator-1';
  if (comment === 'separator-1' && byte === 0x80) return 'separator-2';
  return comment === 'separator-2' && (byte === 0xa8 || byte === 0xa9) ? 'ended' : 'line';
}

/** UTF-16 units of a name that are decoded by default. */
export const LONGEST_NAME = 256;

/** Characters written as a backslash and one letter; JSON5 adds the last two to RFC 8259's. */
const SINGLE: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
};
/** Bytes decoded in one call. */
const SLICE = 4096;
const LINE_ENDS = new Set(['\n', '\r', '\u2028', '\u2029']);

/**
 * Decodes the escapes of a member's name that arrives in parts. JSON5's escapes include RFC 8259's: `\x6d` and `\m` are `m`, and
 * a line end after a backslash is dropped. Stores a bounded beginning of a name of any length.
 */
export class NameDecoder {
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #longest: number;
  #text = '';
  /** An incomplete escape: the backslash and the characters after it. */
  #escape = '';

  /** @param longest UTF-16 units that are stored. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  push(part: Uint8Array): void {
    for (let from = 0; from < part.length && this.#text.length < this.#longest; from += SLICE) {
      this.#read(this.#utf8.decode(part.subarray(from, from + SLICE), { stream: true }));
    }
  }

  /** The name, cut to the bound, without an incomplete escape. */
  end(): string {
    // An incomplete character is U+FFFD, as in a name that is there as a whole.
    this.#read(this.#utf8.decode());
    return this.#text.slice(0, this.#longest);
  }

  #read(text: string): void {
    for (const character of text) {
      if (this.#escape !== '') this.#continue(character);
      else if (character === '\\') this.#escape = character;
      else this.#text += character;
    }
  }

  #continue(character: string): void {
    const escape = this.#escape + character;
    const digits = escape[1] === 'u' ? 4 : escape[1] === 'x' ? 2 : 0;
    if (digits > 0 && escape.length < digits + 2) {
      this.#escape = escape;
      return;
    }
    // Behind a carriage return, which continues a line as the pair with a line feed does, the line feed is nothing, too.
    if (this.#escape === '\\\r') {
      this.#escape = '';
      if (character === '\\') this.#escape = character;
      else if (character !== '\n') this.#text += character;
      return;
    }
    this.#escape = character === '\r' && escape.length === 2 ? escape : '';
    this.#text += digits > 0 ? decode(escape) : this.#single(character);
  }

  #single(character: string): string {
    return LINE_ENDS.has(character) ? '' : (SINGLE[character] ?? character);
  }
}

/** A name that is there as a whole. @param longest UTF-16 units that are decoded. */
export function decodeName(bytes: Uint8Array, isEscaped: boolean, longest: number): string {
  if (!isEscaped) {
    const mostBytes = Math.min(bytes.length, 4 * longest);
    return Buffer.from(bytes.buffer, bytes.byteOffset, mostBytes).toString().slice(0, longest);
  }
  const decoder = new NameDecoder(longest);
  decoder.push(bytes);
  return decoder.end();
}

/** An escape with digits; an invalid one stays unchanged. */
function decode(escape: string): string {
  const digits = escape.slice(2);
  return /^[\da-f]+$/i.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : escape;
}
