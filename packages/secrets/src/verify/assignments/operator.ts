import { charset, WORD } from '../../text/charset.ts';
import { isQuote } from '../../text/unescape.ts';
import { ARGUMENT, type Assigned, BARE, ELEMENT, LOOSE, UNKNOWN } from '../assigned.ts';
import type { View } from '../view.ts';
import {
  REFUSED,
  readBelow,
  readElement,
  readObject,
  readOption,
  readPaired,
  skipBlanks,
  throughBlock,
  WAITS,
  wait,
} from './member.ts';

const NAME = charset('A-Za-z0-9_.$-');
/** Most bytes of a name after the keyword. */
export const NAME_LENGTH = 40;
const COLON = 0x3a;
const EQUALS = 0x3d;
const HYPHEN = 0x2d;

/** First byte of the name: the same for every keyword in it. */
export function nameStart(view: View, assigned: Assigned): number {
  if (assigned.nameFrom === UNKNOWN) assigned.nameFrom = view.runStart(NAME, assigned.nameTo, 2 * NAME_LENGTH);
  return assigned.nameFrom;
}

/**
 * Reads the part between a name and its value. Returns the position of the first byte after the operator and its blanks, REFUSED
 * or WAITS, and notes the form.
 */
export function readOperator(view: View, assigned: Assigned): number {
  let at = assigned.nameTo;
  let quoted = false;
  const close = view.at(at);
  if (isQuote(close)) {
    if (!opensWith(view, assigned, close)) return REFUSED;
    quoted = true;
    at++;
    if (view.waits(at)) return wait(view, view.end);
  }
  if (quoted && view.at(at) === CLOSING_PARENTHESIS) return readFallback(view, assigned, skipBlanks(view, at + 1));
  if (view.at(at) === 0x5d) {
    if (isMask(view, assigned)) return REFUSED;
    at++;
  }
  if (view.at(at) === OPENING_BRACKET) {
    at = view.runEnd(DIGITS, at + 1, 5); // char token[] = "…", char token[33] = "…"
    if (view.waits(at)) return wait(view, view.end);
    if (view.at(at++) !== 0x5d) return REFUSED;
    if (view.waits(at)) return wait(view, view.end);
  }
  const blanksFrom = at;
  at = skipBlanks(view, at);
  if (view.at(at) === ASTERISK) {
    at = afterEmphasis(view, at);
    if (view.waits(at)) return wait(view, view.end);
    if (view.at(at) !== COLON) return REFUSED;
  }
  if (view.waits(at)) return wait(view, view.end);
  const byte = view.at(at);
  assigned.form = BARE;
  if (PAIRED[byte] === 1) {
    if (view.waits(at + 1)) return wait(view, view.end);
    if (view.at(at + 1) === 0x3d || byte === BAR || byte === QUESTION) {
      if (view.waits(at + 2)) return wait(view, view.end);
    }
  }
  const next = view.at(at + 1);
  switch (byte) {
    case COLON:
      if (next === COLON) return REFUSED;
      if (next === EQUALS) return skipBlanks(view, at + 2);
      return readColon(view, afterEmphasis(view, skipBlanks(view, afterEmphasis(view, at + 1))));
    case EQUALS:
      if (next === 0x7e) return REFUSED; // =~
      if (next === 0x3e) return skipBlanks(view, at + 2); // =>
      return insideObject(view, skipBlanks(view, at + (next === EQUALS ? (view.at(at + 2) === EQUALS ? 3 : 2) : 1)));
    case 0x21: // !
      if (next !== EQUALS) return REFUSED;
      return skipBlanks(view, at + (view.at(at + 2) === EQUALS ? 3 : 2));
    case QUESTION:
    case 0x2b: // +
    case 0x2e: // .
      return next === EQUALS ? skipBlanks(view, at + 2) : readFallback(view, assigned, at);
    case BAR:
      if (next !== BLANK || at === blanksFrom) return readFallback(view, assigned, at);
      assigned.form = LOOSE; // a table
      return skipBlanks(view, at + 1);
    case 0x0a:
    case 0x0d:
      return readPaired(view, at);
    case 0x2c: {
      const paired = readPaired(view, at + 1);
      if (paired !== REFUSED || !quoted) return paired;
      assigned.form = ARGUMENT;
      return skipBlanks(view, at + 1);
    }
    case 0x28: // (
      assigned.form = ARGUMENT;
      return at > blanksFrom ? REFUSED : at + 1;
    case 0x3c: // <
      assigned.form = ELEMENT;
      return quoted ? REFUSED : readElement(view, at);
    case OPENING_BRACE:
      return quoted ? readObject(view, at + 1) : REFUSED;
    case 0x3e: {
      const before = view.at(nameStart(view, assigned) - 1);
      if (!quoted && before !== 0x3c && before !== COLON) return REFUSED; // <name>, <ns:name>, <entry key="name">
      assigned.form = ELEMENT;
      return at + 1;
    }
    default:
      if (at === blanksFrom) return REFUSED;
      return readLooseOperator(view, assigned, at, quoted);
  }
}

const BLANK = 0x20;
const BAR = 0x7c;
const QUESTION = 0x3f;
const CLOSING_PARENTHESIS = 0x29;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const DIGITS = charset('0-9');

/** Other text inside a quoted name: `"Auth:ClientSecret"`, `"app/token"`, `"the API key"`. */
const QUOTED_NAME = charset('A-Za-z0-9_.$:/ -');

function opensWith(view: View, assigned: Assigned, quote: number): boolean {
  if (view.at(nameStart(view, assigned) - 1) === quote) return true;
  return view.at(view.runStart(QUOTED_NAME, assigned.nameTo, 2 * NAME_LENGTH) - 1) === quote;
}

/** `token || "…"`, `token ?? "…"`, `getenv("TOKEN") ?: "…"`: the default where nothing is set. */
function readFallback(view: View, assigned: Assigned, at: number): number {
  if (view.waits(at + 2)) return wait(view, view.end);
  const [first, second] = [view.at(at), view.at(at + 1)];
  const isFallback = first === BAR ? second === BAR : first === QUESTION && (second === QUESTION || second === COLON);
  if (!isFallback) return REFUSED;
  assigned.form = ARGUMENT;
  return skipBlanks(view, at + (view.at(at + 2) === EQUALS ? 3 : 2));
}

function readColon(view: View, from: number): number {
  const value = throughBlock(view, from);
  return value === from ? insideObject(view, throughType(view, from)) : value;
}

/**
 * The value in the object, or on the line, that begins at `from`; `from` itself where none does. What the brace encloses may be the
 * value itself: nothing of it may leave before that is known.
 */
function insideObject(view: View, from: number): number {
  const byte = view.at(from);
  if (byte !== OPENING_BRACE && !isLineEnd(byte)) return from;
  const value = byte === OPENING_BRACE ? readObject(view, from + 1) : readBelow(view, from);
  if (value === WAITS && byte === OPENING_BRACE) {
    const enclosed = skipBlanks(view, from + 1);
    if (!isLineEnd(view.at(enclosed))) return wait(view, Math.min(view.hold, enclosed));
  }
  return value === REFUSED ? from : value;
}

function isLineEnd(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}

const ASTERISK = 0x2a;
const MOST_ASTERISKS = 3;
const ASTERISKS = charset('*');

/** After the two or three asterisks that emphasize a word in Markdown: `**token:** …`. One has other uses. */
function afterEmphasis(view: View, from: number): number {
  const to = view.runEnd(ASTERISKS, from, MOST_ASTERISKS);
  return to - from > 1 || view.waits(to) ? to : from;
}

const MASK_BEGINS = '[secret:';

/** The replacement of a secret names a kind, and is no value: `[secret:access-token] …`. */
function isMask(view: View, assigned: Assigned): boolean {
  return view.spells(MASK_BEGINS, nameStart(view, assigned) - MASK_BEGINS.length);
}

/** Bytes that are an operator only with what follows them. */
const PAIRED = charset(':=!?+.|');

/** `--token value`, `#define TOKEN "…"`, `var token string = "…"`, `key="token" value="…"`, `the token is …`, "set `token` to `…`". */
function readLooseOperator(view: View, assigned: Assigned, at: number, quoted: boolean): number {
  if (view.at(at) === HYPHEN) return readOption(view, at);
  if (!quoted && view.at(nameStart(view, assigned)) === HYPHEN) return at;
  if (!quoted && isQuote(view.at(at))) {
    if (!isDeclared(view, assigned)) assigned.form = LOOSE;
    return at;
  }
  const wordTo = view.runEnd(WORD, at, 8);
  const length = wordTo - at;
  if (length > WORD_SHOWS && isPlainWord(view, at)) return REFUSED;
  if (length === 8) {
    if (quoted || !isDeclared(view, assigned)) assigned.form = LOOSE;
    return quoted ? REFUSED : at;
  }
  if (view.waits(wordTo)) return wait(view, at);
  if (length < 2 || length > 6) return REFUSED;
  const next = skipBlanks(view, wordTo);
  if (isOneOf(view, at, length, COPULAS)) {
    if (view.waits(next)) return wait(view, next);
    if (next === wordTo) return REFUSED;
    assigned.form = LOOSE;
    return next;
  }
  if (!isOneOf(view, at, length, quoted ? VALUE : TYPES)) return REFUSED;
  if (view.waits(next)) return wait(view, next);
  const sign = view.at(next) === COLON ? next + 1 : next;
  if (view.waits(sign)) return wait(view, sign);
  if (view.at(sign) !== EQUALS) return REFUSED;
  assigned.form = ARGUMENT;
  return skipBlanks(view, sign + 1);
}

/** What follows is a name and its value, with a blank between them: in C, a Dockerfile, fish and Windows. */
const DECLARES = /(?:#[ \t]*define|\bENV|\bsetx|\bset -[a-z]{1,3})[ \t]+$/;
const DECLARES_WITHIN = 24;

function isDeclared(view: View, assigned: Assigned): boolean {
  const name = nameStart(view, assigned);
  return DECLARES.test(view.text(Math.max(view.floor, name - DECLARES_WITHIN), name));
}

/** `name: Type = "value"`: position of the quote after a type at `from`, `from` when none does, or WAITS. */
function throughType(view: View, from: number): number {
  if (TYPE_BEGINS[view.at(from)] === 0 && from < view.end) return from;
  for (const type of TYPED) {
    const at = view.spelled(type, from);
    if (at === type.length) {
      if (view.waits(from + at)) return wait(view, from);
      if (isQuote(view.at(from + at))) return from + at;
    } else if (view.waits(from + at)) return wait(view, at > 0 ? from : view.end);
  }
  return from;
}

/** So many letters in lower case, after a first one of any case, make a word of a sentence. */
const WORD_SHOWS = 6;

export function isPlainWord(view: View, from: number): boolean {
  for (let at = from; at < from + WORD_SHOWS; at++) {
    const byte = view.at(at);
    const lower = at === from ? byte | 0x20 : byte;
    if (lower < 0x61 || lower > 0x7a) return false;
  }
  return true;
}

const COPULAS = ['is', 'was', 'to', 'as', 'with', 'of', 'est', 'ist', 'lautet'] as const;
const TYPE_BEGINS = charset('sS&[');
const TYPED = ['string = ', 'String = ', 'str = ', '&str = ', "&'static str = ", 'SecretStr = ', '[]byte = '] as const;
const TYPES = ['string', 'String', 'str', 'text'] as const;
const VALUE = ['value'] as const;

function isOneOf(view: View, from: number, length: number, words: readonly string[]): boolean {
  for (const word of words) if (word.length === length && view.spells(word, from)) return true;
  return false;
}
