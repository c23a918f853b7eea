import { charset } from '../../text/charset.ts';
import { isQuote } from '../../text/unescape.ts';
import { ARGUMENT, type Assigned, BARE, ELEMENT, QUOTED, UNKNOWN } from '../assigned.ts';
import { readsLikeWords } from '../cross-entropy.ts';
import { EVIDENCE, FOUND, MORE, NO, type Verdict, type View } from '../view.ts';
import { REFUSED, skipBlanks, WAITS } from './member.ts';
import { NAME_LENGTH, readOperator } from './operator.ts';

/** Bytes that end a value written without quotes. */
const BARE_VALUE = charset('!#$%&*+./0-9:?@A-Z^_a-z~=-');
/** Bytes that end no value, in any notation. */
const PLAIN = charset('A-Za-z0-9_./+-');
const EQUALS = 0x3d;
const COLON = 0x3a;
const AMPERSAND = 0x26;
export const WORD_OR_HYPHEN = charset('A-Za-z0-9_-');

/** Bytes that may follow an assigned name, or a part of one. */
export const AFTER_NAME = charset('A-Za-z0-9_"\'`\x01-\x05] \t\r\n:=!?+.|([<>,*-');

/**
 * Reads `name = value` around a word of the name, in the ways programs, configuration files, markup, command lines and
 * addresses write it. Answers FOUND with `view.assigned` filled, NO, or MORE. Reads each byte a bounded number of times.
 */
export function readAssignment(view: View, wordFrom: number, wordTo: number): Verdict {
  const { assigned } = view;
  if (wordFrom >= assigned.wordFrom && wordTo <= assigned.nameTo) {
    if (assigned.verdict !== UNKNOWN) return assigned.verdict as Verdict;
    if (assigned.askedAt === view.end && !view.final) return view.more(assigned.hold);
  }
  assigned.verdict = UNKNOWN;
  assigned.askedAt = UNKNOWN;
  assigned.dismissed = false;
  assigned.partial = false;
  const nameTo = identifierEnd(view, wordFrom, wordTo);
  if (view.waits(nameTo) && nameTo - wordTo < NAME_LENGTH) return view.more(nameTo);
  if (nameTo - wordTo >= NAME_LENGTH) return NO;
  assigned.wordFrom = wordFrom;
  if (nameTo !== assigned.nameTo) {
    assigned.nameFrom = UNKNOWN;
    assigned.nameTo = nameTo;
    assigned.strength = UNKNOWN;
  }
  assigned.open = false;
  const at = readOperator(view, assigned);
  const verdict = at === WAITS ? MORE : at === REFUSED ? NO : readValue(view, at, assigned);
  if (verdict === MORE) {
    assigned.askedAt = view.end;
    assigned.hold = view.hold;
  } else assigned.verdict = verdict;
  return verdict;
}

/** End of the identifier around a keyword; bytes known from the last one are not read again. */
function identifierEnd(view: View, wordFrom: number, wordTo: number): number {
  const { assigned } = view;
  const known = wordFrom >= assigned.runFrom && wordTo <= assigned.runTo;
  const from = known ? Math.min(assigned.runTo, wordTo + NAME_LENGTH) : wordTo;
  const end = view.runEnd(WORD_OR_HYPHEN, from, wordTo + NAME_LENGTH - from);
  if (!known || end > assigned.runTo) {
    assigned.runFrom = wordFrom;
    assigned.runTo = end;
  }
  return end;
}

const OPENERS = charset('[({');
const CALL = charset('A-Za-z0-9_.:[]');
/** Maximum number in a row: a text made of them is not read to its end. */
const MOST_SCHEMES = 2;
/** Authorization schemes (RFC 9110 section 11.1) before a credential. Lower case. */
const SCHEMES = ['bearer', 'basic', 'token', 'apikey', 'ntlm', 'negotiate', 'key', 'oauth', 'digest', 'jwt', 'ssws'];

function readValue(view: View, from: number, assigned: Assigned): Verdict {
  let at = from;
  if (view.waits(at)) return view.more(at);
  if (OPENERS[view.at(at)] === 1) at = skipBlanks(view, at + 1);
  if (view.waits(at)) return view.more(at);
  if (!isQuote(view.at(at)) && assigned.form !== ELEMENT) {
    const inner = throughWrapper(view, at);
    if (inner === WAITS)
      return view.more(assigned.form === ARGUMENT || readsLikeWords(view, at, view.end) ? view.end : at);
    if (inner > 0) {
      if (view.at(inner - 1) === 0x28 && assigned.form === BARE) assigned.form = ARGUMENT;
      at = inner;
    } else if (assigned.form === ARGUMENT) return NO;
  }
  const quote = view.at(at);
  if (isQuote(quote)) {
    if (assigned.form === BARE) assigned.form = QUOTED;
    const inner = view.at(at + 1);
    if (isQuote(inner) && inner !== quote) return readRun(view, at + 2, inner, assigned); // `"'…'"`, `"\\"…\\""`
    return readRun(view, at + 1, quote, assigned);
  }
  return readRun(view, at, assigned.form === ELEMENT ? 0x3c : 0, assigned);
}

/** `[]byte("`, `aws.String("`, `String::from("`, `b"`, `@"`: position of the quote inside, 0 when there is none. */
function throughWrapper(view: View, from: number): number {
  if (view.at(from) === 0x40) {
    if (view.waits(from + 1)) return WAITS;
    if (isQuote(view.at(from + 1))) return from + 1;
  }
  const to = view.runEnd(CALL, from, 24);
  if (to === from) return 0;
  if (view.waits(to)) return WAITS;
  if (isQuote(view.at(to))) return to - from <= 2 ? to : 0;
  if (view.at(to) === 0x28 && view.waits(to + 1)) return WAITS;
  return view.at(to) === 0x28 && isQuote(view.at(to + 1)) ? to + 1 : 0;
}

/** Reads the value up to its closing byte; with a closer of 0, the first byte that no bare value contains ends it. */
function readRun(view: View, from: number, closer: number, assigned: Assigned): Verdict {
  let start = from;
  let schemes = 0;
  for (let at = knownInside(from, closer, assigned); ; at++) {
    at = view.runEnd(PLAIN, at, start + EVIDENCE - at);
    if (view.waits(at) || (view.at(at) === EQUALS && view.waits(at + 1))) {
      assigned.partial = true;
      noteInside(start, at, closer, assigned);
      assigned.from = start;
      assigned.to = at;
      return view.more(start);
    }
    const byte = view.at(at);
    const ended =
      closer === 0
        ? BARE_VALUE[byte] === 0 || beginsNextPair(view, at)
        : byte === closer || byte === 0 || (byte >= 0x09 && byte <= 0x0d);
    if (!ended && closer !== 0 && leavesQuotes(byte, closer)) return NO;
    if (!ended && byte === 0x20 && closer !== 0) {
      if (!isScheme(view, start, at) || ++schemes > MOST_SCHEMES) return NO;
      start = at + 1;
      continue;
    }
    if (ended && closer === 0 && byte === 0x20 && schemes < MOST_SCHEMES && isScheme(view, start, at)) {
      schemes++;
      start = at + 1;
      continue;
    }
    if (!ended && at - start < EVIDENCE) continue;
    if (closer !== 0 && ended && byte !== closer && byte !== 0) return NO;
    noteInside(start, at, closer, assigned);
    assigned.from = start;
    assigned.to = ended ? pairEnd(view, start, at, closer) : view.characterStart(at);
    assigned.closer = byte;
    assigned.open = !ended;
    return FOUND;
  }
}

/** End of a bare value before an equals sign: an ampersand in it begins the next pair of a query. */
function pairEnd(view: View, from: number, to: number, closer: number): number {
  if (closer !== 0 || view.at(to) !== EQUALS) return to;
  for (let at = to - 1; at > from; at--) if (view.at(at) === AMPERSAND) return at;
  return to;
}

/** The first byte of a value that must be read: bare values overlap, and the result for the longer one applies to the shorter. */
function knownInside(from: number, closer: number, assigned: Assigned): number {
  const inside = closer === assigned.insideCloser && from >= assigned.insideFrom && from < assigned.insideTo;
  return inside ? Math.min(assigned.insideTo, from + EVIDENCE) : from;
}

function noteInside(from: number, to: number, closer: number, assigned: Assigned): void {
  if (closer !== 0) return;
  if (from >= assigned.insideFrom && to <= assigned.insideTo && assigned.insideCloser === closer) return;
  assigned.insideFrom = from;
  assigned.insideTo = to;
  assigned.insideCloser = closer;
}

/** A quote of an outer level, or of another kind, means that the value was never closed where it began. */
function leavesQuotes(byte: number, closer: number): boolean {
  if (byte !== 0x22 && (byte < 1 || byte > 3)) return false;
  return closer === 0x22 ? false : closer > 3 || byte === 0x22 || byte < closer;
}

const SCHEME_BEGINS = charset('abdjknostABDJKNOST');

function isScheme(view: View, from: number, to: number): boolean {
  const length = to - from;
  if (length < 3 || length > 9 || SCHEME_BEGINS[view.at(from)] === 0) return false;
  for (const scheme of SCHEMES) if (scheme.length === length && spells(view, from, scheme)) return true;
  return false;
}

function spells(view: View, from: number, lower: string): boolean {
  for (let index = 0; index < lower.length; index++) {
    if ((view.at(from + index) | 0x20) !== lower.charCodeAt(index)) return false;
  }
  return true;
}

/** An equals sign inside a bare value is padding when only padding or a colon follows; otherwise the next pair begins there. */
function beginsNextPair(view: View, at: number): boolean {
  const next = view.at(at + 1);
  return view.at(at) === EQUALS && next !== EQUALS && next !== COLON && BARE_VALUE[next] === 1;
}
