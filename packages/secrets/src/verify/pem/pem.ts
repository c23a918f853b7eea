import { BASE64_ANY, charset, HEX } from '../../text/charset.ts';
import { beginsHere } from '../boundary.ts';
import { crossEntropy } from '../cross-entropy.ts';
import { isMonotonous } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';
import {
  afterLineNumber,
  DASHES,
  endLine,
  endsEncoded,
  LABEL,
  markBefore,
  matchMarkedHeader,
  matchMarkedLine,
  NOT_LINE_END,
  UNDECIDED,
} from './end-line.ts';

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
