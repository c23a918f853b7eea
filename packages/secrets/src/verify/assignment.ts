import { ALPHANUMERIC, charset, WORD } from '../text/charset.ts';
import { isQuote } from '../text/quotes.ts';
import { EVIDENCE, FOUND, NO, type Verdict, type View } from './view.ts';

const NAME = charset('A-Za-z0-9_.$-');
const NAME_LENGTH = 40;
const GAP = 8;

/** How a value was written down. */
export const QUOTED = 0;
export const BARE = 1;
export const ARGUMENT = 2;
export const ELEMENT = 3;
/** Only a word or a blank stands between the name and the value, as in a sentence. */
export const LOOSE = 4;

/** Bytes that end a value written without quotes. */
const BARE_VALUE = charset('!#$%&*+./0-9:?@A-Z^_a-z~=-');
const COLON = 0x3a;
const EQUALS = 0x3d;

/** What was read by the last successful call of `readAssignment`. */
export interface Assignment {
  nameFrom: number;
  nameTo: number;
  from: number;
  to: number;
  form: typeof QUOTED | typeof BARE | typeof ARGUMENT | typeof ELEMENT | typeof LOOSE;
  /** The byte that ends the value, 0 at the end of the text. */
  closer: number;
  /** The value is longer than the evidence that is weighed. */
  open: boolean;
}

export function createAssignment(): Assignment {
  return { nameFrom: 0, nameTo: 0, from: 0, to: 0, form: QUOTED, closer: 0, open: false };
}

/**
 * Reads `name = value` around a word of the name, in the ways programs, configuration files, markup, command lines and
 * addresses write it. Answers FOUND with the assignment filled, NO, or MORE. Reads each byte a bounded number of times.
 */
export function readAssignment(view: View, wordFrom: number, wordTo: number, result: Assignment): Verdict {
  if (wordFrom >= view.idleFrom && wordTo <= view.idleTo) return NO;
  const nameTo = view.runEnd(WORD_OR_HYPHEN, wordTo, NAME_LENGTH);
  if (view.waits(nameTo)) return view.more(nameTo);
  if (nameTo - wordTo === NAME_LENGTH) return NO;
  const nameFrom = view.runStart(NAME, wordFrom, NAME_LENGTH);
  result.nameFrom = nameFrom;
  result.nameTo = nameTo;
  result.open = false;
  const operator = readOperator(view, nameFrom, nameTo, result);
  if (operator === WAITS) return view.more(Math.min(view.end, skipBlanks(view, nameTo)));
  if (operator === REFUSED) {
    view.idleFrom = nameFrom;
    view.idleTo = nameTo;
    return NO;
  }
  return readValue(view, operator, result);
}

const WORD_OR_HYPHEN = charset('A-Za-z0-9_-');
const REFUSED = -1;
const WAITS = -2;

/** Position of the first byte after the operator and the blanks that follow it, REFUSED or WAITS. */
function readOperator(view: View, nameFrom: number, nameTo: number, result: Assignment): number {
  const before = view.at(nameFrom - 1);
  let at = nameTo;
  const quoted = isQuote(before) && view.at(at) === before;
  if (quoted) at++;
  if (view.waits(at)) return WAITS;
  if (view.at(at) === 0x5d) at++; // ]
  const blanksFrom = at;
  at = skipBlanks(view, at);
  if (view.waits(at + 3)) return WAITS;
  const spaced = at > blanksFrom;
  const byte = view.at(at);
  const next = view.at(at + 1);
  result.form = BARE;
  switch (byte) {
    case COLON:
      if (next === COLON) return REFUSED;
      return skipBlanks(view, at + (next === EQUALS ? 2 : 1));
    case EQUALS:
      if (next === 0x7e) return REFUSED; // =~
      if (next === 0x3e) return skipBlanks(view, at + 2); // =>
      return skipBlanks(view, at + (next === EQUALS ? (view.at(at + 2) === EQUALS ? 3 : 2) : 1));
    case 0x21: // !
      if (next !== EQUALS) return REFUSED;
      return skipBlanks(view, at + (view.at(at + 2) === EQUALS ? 3 : 2));
    case 0x3f: // ?
    case 0x2b: // +
    case 0x2e: // .
      return next === EQUALS ? skipBlanks(view, at + 2) : REFUSED;
    case 0x7c: // ||
      if (next !== 0x7c) return REFUSED;
      result.form = ARGUMENT;
      return skipBlanks(view, at + (view.at(at + 2) === EQUALS ? 3 : 2));
    case 0x2c: // ,
      if (!quoted) return REFUSED;
      result.form = ARGUMENT;
      return skipBlanks(view, at + 1);
    case 0x28: // (
      result.form = ARGUMENT;
      return spaced ? REFUSED : at + 1;
    case 0x3e: // >
      if (before !== 0x3c && before !== COLON) return REFUSED;
      result.form = ELEMENT;
      return at + 1;
    default:
      if (!spaced) return REFUSED;
      return readLooseOperator(view, nameFrom, at, quoted, result);
  }
}

/** `--token value`, `var token string = "…"`, `key="token" value="…"`, `the token is …`, "set `token` to `…`". */
function readLooseOperator(view: View, nameFrom: number, at: number, quoted: boolean, result: Assignment): number {
  if (!quoted && view.at(nameFrom) === HYPHEN) return at;
  const wordTo = view.runEnd(WORD, at, 8);
  if (view.waits(wordTo)) return WAITS;
  const length = wordTo - at;
  if (length === 8) {
    result.form = LOOSE;
    return quoted ? REFUSED : at;
  }
  if (length < 2 || length > 6 || LOOSE_WORD[view.at(at)] === 0) return REFUSED;
  const word = view.text(at, wordTo);
  const next = skipBlanks(view, wordTo);
  if (view.waits(next + 1)) return WAITS;
  if (COPULAS.has(word) && next > wordTo) {
    result.form = LOOSE;
    return next;
  }
  if (quoted ? word !== 'value' : !TYPES.has(word)) return REFUSED;
  const sign = view.at(next) === COLON ? next + 1 : next;
  if (view.at(sign) !== EQUALS) return REFUSED;
  result.form = ARGUMENT;
  return skipBlanks(view, sign + 1);
}

function skipBlanks(view: View, from: number): number {
  let at = from;
  while (at < from + GAP && (view.at(at) === 0x20 || view.at(at) === 0x09)) at++;
  return at;
}

const HYPHEN = 0x2d;
const COPULAS = new Set(['is', 'was', 'to', 'as', 'with', 'of']);
const TYPES = new Set(['string', 'String', 'str', 'text']);
/** First bytes of the words above, and of `value`. */
const LOOSE_WORD = charset('Sstvwiao');
const OPENERS = charset('[({');
const CALL = charset('A-Za-z0-9_.[]');
/** Authorization schemes (RFC 9110 section 11.1) that stand before a credential. Lower case. */
const SCHEMES = ['bearer', 'basic', 'token', 'apikey', 'ntlm', 'negotiate', 'key', 'oauth', 'digest', 'jwt', 'ssws'];

function readValue(view: View, from: number, result: Assignment): Verdict {
  let at = from;
  if (view.waits(at + 1)) return view.more(at);
  if (OPENERS[view.at(at)] === 1) at = skipBlanks(view, at + 1);
  if (view.waits(at)) return view.more(at);
  if (!isQuote(view.at(at)) && result.form !== ELEMENT) {
    const inner = throughWrapper(view, at);
    if (inner === WAITS) return view.more(at);
    if (inner > 0) {
      if (view.at(inner - 1) === 0x28 && result.form === BARE) result.form = ARGUMENT;
      at = inner;
    } else if (result.form === ARGUMENT) return NO;
  }
  const quote = view.at(at);
  if (isQuote(quote)) {
    if (result.form === BARE) result.form = QUOTED;
    return readRun(view, at + 1, quote, result);
  }
  return readRun(view, at, result.form === ELEMENT ? 0x3c : 0, result);
}

/** `[]byte("`, `aws.String("`, `b"`, `@"`: position of the quote inside, 0 when there is none. */
function throughWrapper(view: View, from: number): number {
  if (view.at(from) === 0x40 && isQuote(view.at(from + 1))) return from + 1;
  const to = view.runEnd(CALL, from, 24);
  if (view.waits(to + 1)) return WAITS;
  if (to === from) return 0;
  if (isQuote(view.at(to))) return to - from <= 2 ? to : 0;
  return view.at(to) === 0x28 && isQuote(view.at(to + 1)) ? to + 1 : 0;
}

/** Reads the value up to its closing byte; a closer of 0 means that the first byte no bare value holds ends it. */
function readRun(view: View, from: number, closer: number, result: Assignment): Verdict {
  let start = from;
  for (let at = from; ; at++) {
    if (view.waits(at)) return view.more(start);
    const byte = view.at(at);
    if (byte === EQUALS && view.waits(at + 1)) return view.more(start);
    const ended =
      closer === 0
        ? BARE_VALUE[byte] === 0 || padded(view, at)
        : byte === closer || byte === 0 || (byte >= 0x09 && byte <= 0x0d);
    if (!ended && closer !== 0 && leavesQuotes(byte, closer)) return NO;
    if (!ended && byte === 0x20 && closer !== 0) {
      if (!isScheme(view, start, at)) return NO;
      start = at + 1;
      continue;
    }
    if (ended && closer === 0 && byte === 0x20 && isScheme(view, start, at)) {
      start = at + 1;
      continue;
    }
    if (!ended && at - start < EVIDENCE) continue;
    if (closer !== 0 && ended && byte !== closer && byte !== 0) return NO;
    result.from = start;
    result.to = at;
    result.closer = byte;
    result.open = !ended;
    return FOUND;
  }
}

/** A quote of an outer level, or of another kind, means that the value was never closed where it began. */
function leavesQuotes(byte: number, closer: number): boolean {
  if (byte !== 0x22 && (byte < 1 || byte > 3)) return false;
  return closer === 0x22 ? false : closer > 3 || byte === 0x22 || byte < closer;
}

function isScheme(view: View, from: number, to: number): boolean {
  const length = to - from;
  if (length < 3 || length > 9) return false;
  return SCHEMES.some((scheme) => scheme.length === length && spells(view, from, scheme));
}

function spells(view: View, from: number, lower: string): boolean {
  for (let index = 0; index < lower.length; index++) {
    if ((view.at(from + index) | 0x20) !== lower.charCodeAt(index)) return false;
  }
  return true;
}

/** An equals sign inside a bare value is padding when nothing but padding follows; otherwise the next pair begins there. */
function padded(view: View, at: number): boolean {
  return view.at(at) === EQUALS && ALPHANUMERIC[view.at(at + 1)] === 1;
}
