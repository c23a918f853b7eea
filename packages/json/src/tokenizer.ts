import {
  BLANK,
  BYTE_ORDER_MARK,
  CLOSING,
  COLON,
  COMMA,
  ESCAPABLE,
  FOREIGN,
  GAP_CLASS,
  HASH,
  isHexDigit,
  LOOSE_BLANK,
  NARROWED,
  OPENING,
  QUOTE,
  SINGLE_QUOTE,
  SLASH,
  WIDE_BLANKS,
  WORD,
} from './bytes.ts';
import { type Comment, commentStep, decodeName, Grammar, LONGEST_NAME, NameDecoder } from './grammar.ts';
import { type JsonEvents, LITERAL_START, literalKind, literalStep, type TokenizerOptions } from './literal.ts';

/** Bytes of the longest blank. */
const LONGEST = 3;

/** What a character outside ASCII is between two tokens; `other-before` if it ended before the byte that was read. */
type WideKind = 'incomplete' | 'blank' | 'byte-order-mark' | 'other' | 'other-before';

/** Reads a character outside ASCII byte by byte, only far enough to know whether it is a blank. */
export class WideCharacter {
  readonly #narrowed: boolean;
  #value = 0;
  #bytes = 0;

  /** @param narrowed whether the bytes are what a `Narrower` made. */
  constructor(narrowed: boolean) {
    this.#narrowed = narrowed;
  }

  begin(): void {
    this.#value = 0;
    this.#bytes = 0;
  }

  read(byte: number): WideKind {
    if (this.#narrowed) return byte === NARROWED.other ? 'other' : 'blank';
    if (this.#bytes > 0 && (byte & 0xc0) !== 0x80) return 'other-before';
    this.#value = this.#value * 256 + byte;
    this.#bytes++;
    if (this.#value === BYTE_ORDER_MARK) return 'byte-order-mark';
    if (WIDE_BLANKS.has(this.#value)) return 'blank';
    return this.#bytes < LONGEST ? 'incomplete' : 'other';
  }
}

/** What ends the quick run inside a string: its quote, a backslash, a control character. */
export const IN_DOUBLE: Uint8Array = endsOf('"');
export const IN_SINGLE: Uint8Array = endsOf("'");

function endsOf(quote: string): Uint8Array {
  const ends = new Uint8Array(256).fill(1, 0, 0x20);
  for (const byte of Buffer.from(`${quote}\\`)) ends[byte] = 1;
  return ends;
}

/** The first byte from `from` on that ends the run; the chunk's length for none. */
export function endOfRun(chunk: Uint8Array, from: number, ends: Uint8Array): number {
  let at = from;
  // Four at a time: two fifths less time for ordinary text, which a body mostly is.
  for (const last = chunk.length - 4; at <= last; at += 4) {
    const first = ends[chunk[at] as number] as number;
    const second = ends[chunk[at + 1] as number] as number;
    const third = ends[chunk[at + 2] as number] as number;
    const fourth = ends[chunk[at + 3] as number] as number;
    if ((first | second | third | fourth) !== 0) break;
  }
  while (at < chunk.length && ends[chunk[at] as number] === 0) at++;
  return at;
}

/**
 * The state of an escape sequence in a string: 0 outside one, 1 after the backslash, 2 to 5 before a hexadecimal digit. A step
 * yields the next state, with `WRONG` where RFC 8259 does not allow the byte.
 */
export const ESCAPE_BEGUN = 1;
/** The byte does not belong to the escape sequence: it may be the closing quote. */
export const NOT_PART = 16;
export const WRONG = 8;

const FIRST_DIGIT = 2;
const LAST_DIGIT = 5;
const LETTER_U = 0x75;

export function escapeStep(state: number, byte: number): number {
  if (state === ESCAPE_BEGUN) {
    if (byte === LETTER_U) return FIRST_DIGIT;
    return ESCAPABLE[byte] === 1 ? 0 : WRONG;
  }
  if (!isHexDigit(byte)) return NOT_PART | WRONG;
  return state === LAST_DIGIT ? 0 : state + 1;
}

/* What is being read: numbers, because they are compared for every token. */

const GAP = 0;
const STRING = 1;
const LITERAL = 2;
const COMMENT = 3;
/** A character outside ASCII between two tokens, which may be a blank. */
const CHARACTER = 4;
/** The rest after unreadable input, up to the end of its line. */
const REST_OF_LINE = 5;
const STOPPED = 6;

const DOUBLE = 0x22;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const LINE_FEED = 0x0a;
const NO_BYTES = new Uint8Array(0);

/**
 * Reads JSON in UTF-8 from parts of any size, in linear time and without recursion. It stores one bit per open container. It
 * accepts what parsers in use accept beyond RFC 8259: any words and numbers, raw control characters and invalid bytes in strings,
 * any escape, comments (`//`, `#`, `/*`), wrong commas, JSON5's blanks, single-quoted values, and several top-level values.
 * `isStrict` shows whether all of it follows RFC 8259.
 */
export class JsonTokenizer {
  readonly #grammar: Grammar;
  readonly #longestName: number;
  readonly #narrowed: boolean;
  #token = GAP;
  #chunk: Uint8Array = NO_BYTES;
  /** Offset of the first byte of the chunk. */
  #base = 0;
  /** Offset of the first byte of the string, number or word that is being read. */
  #from = 0;
  #quote = 0;
  #isName = false;
  #escape = 0;
  #isEscaped = false;
  /** Decodes a name that spans several parts. */
  #decoder: NameDecoder | null = null;
  /** The last name's position in the chunk, without quotes. */
  #nameFrom = 0;
  #nameTo = 0;
  #literal = LITERAL_START;
  #comment: Comment = 'line';
  readonly #wide: WideCharacter;
  #isMarked = false;

  constructor(events: JsonEvents, { longestName = LONGEST_NAME, narrowed = false }: TokenizerOptions = {}) {
    this.#grammar = new Grammar(events);
    this.#longestName = longestName;
    this.#narrowed = narrowed;
    this.#wide = new WideCharacter(narrowed);
  }

  /** Top-level values that were read whole. */
  get values(): number {
    return this.#grammar.values;
  }

  /**
   * Whether the input so far is the beginning of one JSON text (RFC 8259); after `end`, the whole of one. A byte order mark may
   * precede it. UTF-8 in strings is not validated.
   */
  get isStrict(): boolean {
    return this.#grammar.isStrict;
  }

  /** Further input is ignored: nothing could be read, or the text has ended. */
  get isStopped(): boolean {
    return this.#token === STOPPED;
  }

  /** Within `JsonEvents.name`: the name, its escapes decoded, cut to the bound. */
  get name(): string {
    if (this.#decoder !== null) return this.#decoder.end();
    const bytes = this.#chunk.subarray(this.#nameFrom, this.#nameTo);
    return decodeName(bytes, this.#isEscaped, this.#longestName);
  }

  /** Within `JsonEvents.name`: whether the name contains an escape. */
  get isNameEscaped(): boolean {
    return this.#isEscaped;
  }

  /** Reads on. No bytes are stored. */
  push(chunk: Uint8Array): void {
    this.#chunk = chunk;
    let at = 0;
    while (at < chunk.length) {
      if (this.#token === GAP) at = this.#gap(chunk, at);
      else if (this.#token === STRING) at = this.#string(chunk, at);
      else if (this.#token === LITERAL) at = this.#word(chunk, at);
      else at = this.#other(chunk, at);
    }
    this.#base += chunk.length;
  }

  /** The text has ended. An incomplete value is broken. */
  end(): void {
    if (this.#token === LITERAL) this.#endLiteral(0);
    if (this.#token === STOPPED) return;
    if (this.#token === STRING || !this.#grammar.isBetweenValues) this.#grammar.break(this.#base);
    else if (this.#token !== GAP || this.values === 0) this.#grammar.isStrict = false;
    this.#token = STOPPED;
  }

  /** Ignores further input. */
  stop(): void {
    this.#token = STOPPED;
  }

  #gap(chunk: Uint8Array, from: number): number {
    const grammar = this.#grammar;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      let taken = true;
      switch (GAP_CLASS[byte]) {
        case BLANK:
          break;
        case QUOTE:
        case SINGLE_QUOTE:
          if (this.#beginString(byte, at)) return at + 1;
          taken = grammar.junk();
          break;
        case COMMA:
          taken = grammar.comma();
          break;
        case COLON:
          taken = grammar.colon();
          break;
        case OPENING:
          taken = grammar.begin(byte === BRACE, this.#base + at);
          if (taken && this.#token !== GAP) return at + 1; // stopped
          break;
        case CLOSING:
          taken = grammar.close(byte === CLOSING_BRACE, this.#base + at);
          if (taken && this.#token !== GAP) return at + 1; // stopped
          break;
        case WORD:
          if (!grammar.value()) return this.#break(at);
          this.#token = LITERAL;
          this.#literal = LITERAL_START;
          this.#from = this.#base + at;
          return at;
        case LOOSE_BLANK:
          grammar.isStrict = false;
          break;
        case SLASH:
        case HASH:
          this.#token = COMMENT;
          this.#comment = GAP_CLASS[byte] === HASH ? 'line' : 'begun';
          grammar.isStrict = false;
          return at + 1;
        case FOREIGN:
          this.#token = CHARACTER;
          this.#wide.begin();
          return at;
        default:
          taken = grammar.junk();
      }
      if (!taken) return this.#break(at);
    }
    return chunk.length;
  }

  /** @returns false where none can begin. Single quotes enclose only values; after the first value they are apostrophes. */
  #beginString(quote: number, at: number): boolean {
    const grammar = this.#grammar;
    this.#isName = quote === DOUBLE && grammar.name();
    if (quote !== DOUBLE) {
      if (grammar.isBetweenValues || !grammar.value()) return false;
      grammar.isStrict = false;
    } else if (!this.#isName && !grammar.value()) return false;
    this.#token = STRING;
    this.#quote = quote;
    this.#from = this.#base + at;
    this.#isEscaped = false;
    this.#decoder = null;
    return true;
  }

  #string(chunk: Uint8Array, from: number): number {
    let at = from;
    for (;;) {
      while (this.#escape > 0 && at < chunk.length) at += this.#readEscape(chunk[at] as number);
      at = endOfRun(chunk, at, this.#quote === DOUBLE ? IN_DOUBLE : IN_SINGLE);
      if (at >= chunk.length) break;
      const byte = chunk[at++] as number;
      if (byte === this.#quote) {
        this.#endString(chunk, from, at);
        return at;
      }
      if (byte === BACKSLASH) {
        this.#isEscaped = true;
        if (ESCAPABLE[chunk[at] ?? 0] === 1) at++;
        else this.#escape = ESCAPE_BEGUN;
      } else if (byte < 0x20) this.#grammar.isStrict = false;
    }
    if (this.#isName) {
      this.#decoder ??= new NameDecoder(this.#longestName);
      this.#decoder.push(chunk.subarray(from));
    }
    return at;
  }

  /** @returns the number of bytes read. */
  #readEscape(byte: number): 0 | 1 {
    const step = escapeStep(this.#escape, byte);
    this.#escape = step & ~(WRONG | NOT_PART);
    if ((step & WRONG) !== 0) this.#grammar.isStrict = false;
    return (step & NOT_PART) === 0 ? 1 : 0;
  }

  /** @param from where in the chunk the string's own bytes begin or continue. @param after the closing quote. */
  #endString(chunk: Uint8Array, from: number, after: number): void {
    this.#token = GAP;
    const to = this.#base + after;
    if (!this.#isName) return this.#grammar.stringEnds(this.#from, to);
    this.#decoder?.push(chunk.subarray(from, after - 1));
    this.#nameFrom = from;
    this.#nameTo = after - 1;
    this.#grammar.nameEnds(this.#from, to);
  }

  #word(chunk: Uint8Array, from: number): number {
    let at = from;
    let state = this.#literal;
    while (at < chunk.length && GAP_CLASS[chunk[at] as number] === WORD)
      state = literalStep(state, chunk[at++] as number);
    this.#literal = state;
    if (at < chunk.length) this.#endLiteral(at);
    return at;
  }

  #endLiteral(at: number): void {
    this.#token = GAP;
    this.#grammar.literalEnds(literalKind(this.#literal), this.#from, this.#base + at);
  }

  #other(chunk: Uint8Array, at: number): number {
    if (this.#token === COMMENT) return this.#skipComment(chunk, at);
    if (this.#token === CHARACTER) return this.#foreign(chunk, at);
    if (this.#token === STOPPED) return chunk.length;
    const lineEnd = chunk.indexOf(LINE_FEED, at);
    if (lineEnd < 0) return chunk.length;
    this.#token = GAP;
    return lineEnd + 1;
  }

  #skipComment(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      this.#comment = commentStep(this.#comment, chunk[at] as number, this.#narrowed);
      if (this.#comment !== 'ended' && this.#comment !== 'none') continue;
      this.#token = GAP;
      if (this.#comment === 'ended') return at + 1;
      return this.#grammar.junk() ? at : this.#break(at);
    }
    return chunk.length;
  }

  #foreign(chunk: Uint8Array, at: number): number {
    const kind = this.#wide.read(chunk[at] as number);
    if (kind === 'incomplete') return at + 1;
    this.#token = GAP;
    if (kind === 'blank' || kind === 'byte-order-mark') {
      // One byte order mark may precede the text.
      const isFirst = kind === 'byte-order-mark' && this.#grammar.isBetweenValues && this.values === 0;
      if (!isFirst || this.#isMarked) this.#grammar.isStrict = false;
      this.#isMarked = true;
      return at + 1;
    }
    if (!this.#grammar.junk()) return this.#break(at);
    return kind === 'other' ? at + 1 : at;
  }

  /** The incomplete value is void. After a complete value, a later line may be read again. */
  #break(at: number): number {
    this.#token = this.values === 0 ? STOPPED : REST_OF_LINE;
    this.#grammar.break(this.#base + at);
    return at;
  }
}
