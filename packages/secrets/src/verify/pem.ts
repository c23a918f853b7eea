import { ALPHANUMERIC, BASE64_ANY, charset, HEX } from '../text/charset.ts';
import { beginsHere } from './boundary.ts';
import { crossEntropy } from './cross-entropy.ts';
import { isMonotonous } from './placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from './view.ts';

/** Separators of a key's lines: line ends, indentation, quotes, and operators that join literals in source code. */
const BETWEEN = charset(' \t\r\n"\'`,+./\\&|>*#;-\x01-\x05');
const LINE = charset('A-Za-z0-9+/=');
/** Base64 bytes in one piece that make a header the beginning of a key. */
const BODY = 20;
const BODY_WITHIN = 72;
const COMMENTED = 160;
const GAP = 32;
/** A line of wrapped base64 that contains the longest header, and is longer than any name. */
export const LEAST_LINE = 60;
/** Bytes of a line that show that the key continues. */
const LEAST_SHOWN = 16;
export const PEM_TAIL: Tail = { type: 'pem' };
const HYPHEN = 0x2d;
const PLUS = 0x2b;
const EQUALS = 0x3d;
const PRIVATE_LABEL = /PRIVATE KEY(?: BLOCK)?$|^OpenVPN Static key V1$/;

/** `-----BEGIN … PRIVATE KEY-----` followed by what reads as its body. The header alone, quoted by code, is nothing. */
export function checkPem(view: View, at: number, to: number): Verdict {
  if (!beginsHere(view, at)) return NO;
  const from = headerStart(view, at);
  const labelTo = view.runEnd(LABEL, to, 40);
  if (view.waits(labelTo + DASHES.length)) return view.more(from);
  if (!view.spells(DASHES, labelTo)) return NO;
  if (!PRIVATE_LABEL.test(view.text(to, labelTo))) return NO;
  const lineTo = labelTo + DASHES.length;
  const bodyFrom = afterHeaders(view, lineTo);
  if (bodyFrom === UNDECIDED) return view.more(from);
  // The line before the body is empty: it has only its prefix, followed by that of the body.
  const marks = NOT_LINE_END[view.at(lineTo)] === 1 ? 0 : 2 * markBefore(view, at);
  return findBody(view, from, bodyFrom, BODY_WITHIN + marks);
}

const NAME = charset('A-Za-z-');
const LONGEST_NAME = 16;
const COLON = 0x3a;
/** Bytes of headers that are read; what is longer is text. */
const HEADERS = 420;

/** First byte after the headers of a key (`Version: …`, `Comment: …`, `DEK-Info: …`), which contain words, names and digests. */
function afterHeaders(view: View, from: number): number {
  let line = from;
  while (line < from + HEADERS) {
    const gapTo = view.runEnd(BETWEEN, line, GAP);
    const name = view.waits(gapTo) ? UNDECIDED : afterNumbers(view, line, gapTo);
    if (name === UNDECIDED) return UNDECIDED;
    const nameTo = view.runEnd(NAME, name, LONGEST_NAME);
    if (view.waits(nameTo)) return UNDECIDED;
    const colon = nameTo > name && view.at(nameTo) === COLON ? nameTo : matchMarkedHeader(view, line);
    if (colon <= 0) return colon === UNDECIDED ? UNDECIDED : line;
    line = view.runEnd(NOT_LINE_END, colon, HEADERS);
    if (view.waits(line)) return line - from < HEADERS ? UNDECIDED : from;
  }
  return from;
}

/**
 * Where the secret begins whose header begins with the dashes at `at`: after them in a longer row, which is a drawn line, and
 * needs no wait for its end.
 */
export function headerStart(view: View, at: number): number {
  if (view.at(at) !== HYPHEN) return at;
  for (let before = at - 1; before >= at - DASHES.length - 1; before--) if (view.at(before) !== HYPHEN) return at;
  return at + DASHES.length;
}

/** `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----`, as SSH Communications and PuTTY export it, with its comment lines. */
export function checkSsh2(view: View, _from: number, to: number): Verdict {
  return findBody(view, to, to, COMMENTED);
}

/** The private part of a PuTTY key file: base64 lines after their count. */
export function checkPutty(view: View, from: number, to: number): Verdict {
  const line = view.runEnd(charset('0-9 '), to, 6);
  if (view.waits(line)) return view.more(from);
  return findBody(view, line, line);
}

function findBody(view: View, from: number, bodyFrom: number, within = BODY_WITHIN): Verdict {
  let at = bodyFrom;
  while (at < bodyFrom + within) {
    const runTo = view.runEnd(LINE, at, BODY);
    if (view.waits(runTo)) return view.more(from);
    if (runTo - at >= BODY) {
      const line = view.at(at) === PLUS ? at + 1 : at; // of a difference
      return readsAsKey(view, line, runTo) ? view.found(from, runTo, PEM_TAIL) : NO;
    }
    if (view.spells(DASHES, runTo)) return NO;
    if (runTo >= view.end) return NO;
    at = runTo + 1;
  }
  return NO;
}

/** Names in code are long runs of letters too; key material does not read like them. */
export function readsAsKey(view: View, from: number, to: number): boolean {
  if (isMonotonous(view.bytes, from, to)) return false;
  return view.runEnd(HEX, from, to - from) === to || crossEntropy(view.bytes, from, to) >= 4.6;
}

/**
 * Follows a private key from `from`: `view.to` becomes the byte up to which it certainly goes. True when that is its
 * end, which is after its END line or before the first thing that cannot belong to a key; false to wait for more text.
 */
export function swallowPem(view: View, from: number): boolean {
  view.to = from;
  while (true) {
    const lineTo = view.runEnd(LINE, view.to, Number.MAX_SAFE_INTEGER);
    view.to = lineTo;
    const gapTo = view.runEnd(BETWEEN, lineTo, GAP + DASHES.length);
    const after = endLine(view, lineTo, gapTo);
    if (after === UNDECIDED) return false;
    if (after > 0) {
      view.to = after;
      return true;
    }
    if (view.waits(gapTo)) return false;
    const next = lineAfter(view, lineTo);
    if (next === UNDECIDED) return false;
    if (next === 0) return true;
    view.to = next;
  }
}

/** End of the line after the one that ends at `from`, or of its first bytes, or where the END line begins; 0 where there is none. */
export function lineAfter(view: View, from: number): number {
  const gapTo = view.runEnd(BETWEEN, from, GAP + DASHES.length);
  if (view.waits(gapTo)) return UNDECIDED;
  const next = nextLine(view, from, gapTo);
  return next === 0 ? matchMarkedLine(view, from) : next;
}

/** The same for a line with only numbers before it, after the gap `from` to `to`. */
function nextLine(view: View, from: number, to: number): number {
  if (to === from || to - from > GAP) return 0;
  const shown = afterNumbers(view, from, to);
  if (shown === UNDECIDED) return UNDECIDED;
  const least = endsEncoded(view, from) ? LEAST_LINE : LEAST_SHOWN;
  const end = view.runEnd(LINE, shown, least);
  if (end - shown === least) return end;
  const isLast = endsAfter(view, end);
  return isLast === UNDECIDED ? UNDECIDED : isLast ? end : 0;
}

/** The member after the last line of a key without an END line, in PuTTY's format. */
const AUTHENTICATION = ['Private-MAC', 'Private-Hash'] as const;

/** Whether the line that ends at `from`, which may be short, is a key's last: the checksum of PGP or the END line follows. */
function endsAfter(view: View, from: number): boolean | typeof UNDECIDED {
  const gapTo = view.runEnd(BETWEEN, from, GAP + DASHES.length);
  if (view.waits(from) || view.waits(gapTo)) return UNDECIDED;
  const shown = afterNumbers(view, from, gapTo);
  if (shown === UNDECIDED) return UNDECIDED;
  if (shown > from && view.at(shown) === EQUALS) return true;
  for (const word of AUTHENTICATION) {
    const spelled = view.spelled(word, shown);
    if (spelled === word.length) return true;
    if (view.waits(shown + spelled)) return UNDECIDED;
  }
  const dashesTo = view.runEnd(BETWEEN, shown, GAP + DASHES.length);
  if (view.waits(dashesTo)) return UNDECIDED;
  const end = endLine(view, from, dashesTo);
  return end === UNDECIDED ? UNDECIDED : end > 0;
}

/**
 * First byte of a key's next line, after the gap `from` to `to` and the numbers of the lines in it: a listing numbers empty
 * lines too.
 */
function afterNumbers(view: View, from: number, to: number): number {
  let [gap, line] = [from, to];
  while (line - from < GAP + HEADERS && view.runEnd(NOT_LINE_END, gap, line - gap) < line) {
    const shown = afterLineNumber(view, line);
    if (shown === UNDECIDED || shown === line) return shown;
    gap = shown;
    line = view.runEnd(BETWEEN, shown, GAP);
    if (view.waits(line)) return UNDECIDED;
    if (view.spells(DASHES, line - DASHES.length)) return shown;
  }
  return line;
}

/** A PEM file encoded in base64, once or twice, on one line or several: its decoded text shows whether it is a private key. */
export function checkWrappedPem(view: View, from: number): Verdict {
  if (!beginsHere(view, from)) return NO;
  const to = view.runEnd(BASE64_ANY, from, EVIDENCE);
  const open = to - from === EVIDENCE;
  if (!open && view.waits(to)) return view.more(from);
  if (to - from < LEAST_LINE) return NO;
  const once = decode(view.text(from, to));
  const twice = once.startsWith('LS0tLS1') ? decode(once) : once;
  if (!/-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(twice)) return NO;
  if (open) return view.found(from, to, PEM_TAIL);
  const next = lineAfter(view, to);
  if (next === UNDECIDED) return view.more(from);
  return next === 0 ? NO : view.found(from, to, PEM_TAIL);
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}

/** The type of a key, in its first and last line. */
const LABEL = charset('A-Za-z0-9 ');
const DASHES = '-----';
/** RFC 4716 has four dashes and a blank where the others have five dashes. */
const END_LINES = ['-----END', '---- END'] as const;

/** End of an END line whose dashes are between `from` and shortly after `to`; 0 for none, UNDECIDED to wait. */
export function endLine(view: View, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (view.bytes[at] !== HYPHEN) continue;
    if (view.waits(at + 8)) return UNDECIDED;
    const line = END_LINES.find((each) => view.spells(each, at));
    if (line === undefined) continue;
    const labelTo = view.runEnd(LABEL, at + line.length, 40);
    const dashes = line === END_LINES[0] ? DASHES : DASHES.slice(1);
    if (view.waits(labelTo + dashes.length)) return UNDECIDED;
    return view.spells(dashes, labelTo) ? labelTo + dashes.length : labelTo;
  }
  return 0;
}

/** Common letters of all END lines encoded in base64, once or twice, at any byte offset. */
const ENCODED_ENDS = encodingsOf('-----END ').flatMap((once) => [once, ...encodingsOf(once)]);
/** Letters of the longest END line that was encoded twice. */
const LONGEST_ENCODED = 76;

/** The letters of a text in base64 at any offset, without those that depend on its neighbours. */
function encodingsOf(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + text);
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}

/** Whether the base64 that ends at `to` ends in an END line that was encoded. */
export function endsEncoded(view: View, to: number): boolean {
  const text = view.text(Math.max(view.floor, to - LONGEST_ENCODED), to);
  return ENCODED_ENDS.some((end) => text.includes(end));
}

const DIGITS = charset('0-9');
const MOST_DIGITS = 6;
/**
 * Characters before a number, and between it and its line: blanks, a bar, a colon, an arrow or a drawn line, whose bytes are
 * outside ASCII.
 */
const BEFORE_NUMBER = charset('L[');
const AFTER_NUMBER = charset('\t :|.)]\x80-\xff');
const LONGEST_MARK = 12;
/** Bytes of a path, which a search puts before the number. */
const PATH = charset('A-Za-z0-9_.~/+@-');
const LONGEST_PATH = 72;

/** The text ends before the answer. */
export const UNDECIDED = -1;

/**
 * The byte after the number of a line that begins at `from`, as listings (`    12→`, `12 | `, `L12: `) and searches
 * (`path:12:`, `path-12-`, `12-`) put it before what they show; `from` where there is none.
 */
export function afterLineNumber(view: View, from: number): number {
  const number = view.runEnd(BEFORE_NUMBER, from, 1);
  const to = view.runEnd(DIGITS, number, MOST_DIGITS);
  if (view.waits(to)) return UNDECIDED;
  if (to > number && AFTER_NUMBER[view.at(to)] === 1) {
    const after = view.runEnd(AFTER_NUMBER, to, LONGEST_MARK);
    return view.waits(after) ? UNDECIDED : after;
  }
  const path = afterPath(view, from);
  return path === from && to > number && view.at(to) === HYPHEN ? to + 1 : path;
}

function afterPath(view: View, from: number): number {
  for (let at = from; at < from + LONGEST_PATH; at++) {
    if (view.waits(at)) return UNDECIDED;
    const mark = view.at(at);
    if (at > from && (mark === COLON || mark === HYPHEN)) {
      const to = view.runEnd(DIGITS, at + 1, MOST_DIGITS);
      if (view.waits(to)) return UNDECIDED;
      if (to > at + 1 && view.at(to) === mark) return to + 1;
    }
    if (PATH[mark] === 0) return from;
  }
  return from;
}
const NOT_LINE_END = charset('\x01-\x09\x0b\x0c\x0e-\xff');
const LINE_ENDS = charset('\r\n');
/** Bytes before and after what is shown of a line. */
const LONGEST_LINE_MARK = 64;
const LONGEST_REST = 16;
/** Widths of a key's lines: what is wider has no other line. */
const LEAST_WIDTH = 32;
const MOST_WIDTH = 96;
/** Bytes in which the END line follows the last whole line: three marks, a shorter line, and the checksum of PGP. */
const END_WITHIN = 272;
/** Headers of keys (RFC 1421 section 4.6, RFC 9580 section 6.2.2.1). */
const HEADER_NAMES = ['Proc-Type:', 'DEK-Info:', 'Version:', 'Comment:', 'Hash:', 'Charset:', 'MessageID:'] as const;

/**
 * Where a key continues whose line ends at `from`, when each of its lines has an unrelated prefix: the time in a log, a
 * container's name, an author. All lines except the last have the same width, and the END line's position shows the prefix.
 * Returns the byte after the next line, or the END line's first; 0 for neither.
 */
export function matchMarkedLine(view: View, from: number): number {
  const width = from - view.runStart(LINE, from, MOST_WIDTH);
  if (width < LEAST_WIDTH || width === MOST_WIDTH) return 0;
  const rest = view.runEnd(NOT_LINE_END, from, LONGEST_REST);
  const line = view.runEnd(LINE_ENDS, rest, 2);
  if (view.waits(line)) return UNDECIDED;
  if (line === rest) return 0;
  for (let at = line; at <= line + LONGEST_LINE_MARK && NOT_LINE_END[view.at(at)] === 1; at++) {
    const to = view.runEnd(LINE, at, width + 1);
    if (view.waits(to)) return UNDECIDED;
    if (to - at === width) return to;
    at = view.runEnd(LINE, to, LONGEST_LINE_MARK);
  }
  for (let at = line; at < line + END_WITHIN; at++) {
    if (view.waits(at)) return UNDECIDED;
    if (view.at(at) === HYPHEN && END_LINES.some((end) => view.spells(end, at))) return at;
  }
  return 0;
}

/** Bytes before the given position in its line. */
export function markBefore(view: View, at: number): number {
  return at - view.runStart(NOT_LINE_END, at, LONGEST_LINE_MARK);
}

/** The colon of a key's header in the line after the one that ends at `from`, behind such a mark; 0 where there is none. */
export function matchMarkedHeader(view: View, from: number): number {
  const line = view.runEnd(LINE_ENDS, from, 2);
  if (view.waits(line)) return UNDECIDED;
  if (line === from) return 0;
  for (let at = line; at <= line + LONGEST_LINE_MARK; at++) {
    if (view.waits(at)) return UNDECIDED;
    if (NOT_LINE_END[view.at(at)] === 0) return 0;
    if (ALPHANUMERIC[view.at(at - 1)] === 1) continue;
    for (const header of HEADER_NAMES) {
      const spelled = view.spelled(header, at);
      if (spelled === header.length) return at + spelled - 1;
      if (view.waits(at + spelled)) return UNDECIDED;
    }
  }
  return 0;
}

const BLANKS = charset(' \t\r\n');
/** Separators of the parts: a listing numbers their lines. */
const BETWEEN_PARTS = charset('\x01-;=-\xff');
const BASE64 = charset('A-Za-z0-9+/=');
const INSIDE = charset('A-Za-z0-9+/=>|:#. \t\r\n\x80-\xff-');
const PARTS_GAP = 16;
const LONGEST_PART_MARK = 72;
/** Base64 bytes that show that a part is there. */
const SHOWN = 20;
/** The private parts, in the order in which .NET writes them; any of them may come first. */
const PARTS = ['<P>', '<Q>', '<D>', '<DP>', '<DQ>', '<InverseQ>'] as const;
const LESS = 0x3c;
const TAIL: Tail = { type: 'xml' };

/**
 * `<RSAKeyValue><Modulus>…</Modulus><Exponent>…</Exponent><P>…`: what follows the exponent is private. A public key ends
 * there, and a DSA key, whose P and Q are public, has no exponent.
 */
export function checkXmlKey(view: View, _from: number, to: number): Verdict {
  const from = view.runEnd(BETWEEN_PARTS, to, LONGEST_PART_MARK);
  if (view.waits(from)) return view.more(view.end);
  if (view.at(from) !== LESS) return NO;
  let waits = false;
  for (const part of PARTS) {
    const spelled = view.spelled(part, from);
    if (spelled < part.length) {
      waits ||= view.waits(from + spelled);
      continue;
    }
    const bodyFrom = view.runEnd(BLANKS, from + spelled, PARTS_GAP);
    const bodyTo = view.runEnd(BASE64, bodyFrom, SHOWN);
    if (view.waits(bodyTo)) return view.more(from);
    if (bodyTo - bodyFrom < SHOWN || !readsAsKey(view, bodyFrom, bodyTo)) return NO;
    return view.found(from, bodyTo, TAIL);
  }
  return waits ? view.more(from) : NO;
}

/** Follows the parts from `from` on, to the end of the key's element or the first other text. */
export function swallowXml(view: View, from: number): boolean {
  let at = from;
  while (true) {
    at = view.runEnd(INSIDE, at, Number.MAX_SAFE_INTEGER);
    view.to = at;
    if (view.waits(at + 2)) return false;
    if (view.at(at) !== LESS || !isPart(view, at)) return true;
    at++;
  }
}

function isPart(view: View, at: number): boolean {
  const name = view.at(at + 1) === 0x2f ? view.at(at + 2) : view.at(at + 1);
  return name === 0x50 || name === 0x51 || name === 0x44 || name === 0x49; // P, Q, D, I
}
