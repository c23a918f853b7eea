import { charset, WORD } from '../../text/charset.ts';
import { isQuote } from '../../text/unescape.ts';
import { crossEntropy } from '../cross-entropy.ts';
import { isMonotonous, isPassword } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';

/* Values that are separate from their names. Each function returns the position where the value begins, REFUSED, or WAITS. */

const BETWEEN_MEMBERS = charset(' \t\r\n');
const LONGEST_MEMBER_GAP = 48;
/** Bytes of an object in which the value's member is searched. */
const LONGEST_OBJECT = 160;
const BLANK = 0x20;
const HYPHEN = 0x2d;
const COLON = 0x3a;
const EQUALS = 0x3d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const GREATER = 0x3e;

/** Members with the value, beside the one with the name. */
const VALUES = ['value', 'default', 'parameterValue'] as const;

/** `"name": "TOKEN", "value": "…"`, `name: TOKEN` and `value: …` on the next line: what lists of variables are made of. */
export function readPaired(view: View, from: number): number {
  const member = view.runEnd(BETWEEN_MEMBERS, from, LONGEST_MEMBER_GAP);
  for (const name of VALUES) {
    const value = readMember(view, member, name);
    if (value !== REFUSED) return value;
  }
  return REFUSED;
}

/** The value of a member of `token:`, or the first of a list, on the line after it; from the end of the line on. */
export function readBelow(view: View, from: number): number {
  const item = view.runEnd(BETWEEN_MEMBERS, from, LONGEST_MEMBER_GAP);
  if (view.at(item) !== HYPHEN) return readPaired(view, from);
  if (view.waits(item + 1)) return wait(view, view.end);
  return view.at(item + 1) === BLANK ? skipBlanks(view, item + 1) : REFUSED;
}

/** `"token": { "type": "string", "value": "…" }`, `variable "token" { default = "…" }`: from after the brace. */
export function readObject(view: View, from: number): number {
  for (let at = from; at < from + LONGEST_OBJECT; at++) {
    if (view.waits(at)) return wait(view, view.end);
    const byte = view.at(at);
    if (byte === OPENING_BRACE || byte === CLOSING_BRACE || byte === 0) return REFUSED;
    if (WORD[view.at(at - 1)] === 1) continue;
    for (const name of ['value', 'default'] as const) {
      const value = readMember(view, at, name);
      if (value !== REFUSED) return value;
    }
  }
  return REFUSED;
}

function readMember(view: View, member: number, name: (typeof VALUES)[number]): number {
  const quote = isQuote(view.at(member)) ? view.at(member) : 0;
  const word = quote === 0 ? member : member + 1;
  // In quotes it may be the value itself, of a call.
  const hold = quote === 0 ? view.end : word;
  for (let index = 0; index < name.length; index++) {
    if (view.waits(word + index)) return wait(view, hold);
    const byte = view.at(word + index);
    if ((index === 0 ? byte | 0x20 : byte) !== name.charCodeAt(index)) return REFUSED;
  }
  let at = word + name.length;
  if (view.waits(at)) return wait(view, hold);
  if (quote !== 0 && view.at(at++) !== quote) return REFUSED;
  at = skipBlanks(view, at);
  if (view.waits(at)) return wait(view, view.end);
  return view.at(at) === COLON || view.at(at) === EQUALS ? skipBlanks(view, at + 1) : REFUSED;
}

/** Options of command lines before a value, after its name. */
const OPTIONS = ['--value', '--body'] as const;

/** `--name token --value "…"`, `set TOKEN --body …`: from the option on. */
export function readOption(view: View, from: number): number {
  for (const option of OPTIONS) {
    const spelled = view.spelled(option, from);
    const to = from + spelled;
    if (view.waits(to)) return wait(view, view.end);
    if (spelled === option.length && (view.at(to) === BLANK || view.at(to) === EQUALS)) return skipBlanks(view, to + 1);
  }
  return REFUSED;
}

const TAG = charset('A-Za-z0-9');
const LONGEST_TAG = 16;
const ELEMENTS = ['<string>', '<value>'] as const;

/** `<key>TOKEN</key> <string>…`, `<name>token</name> <value>…`: property lists, Java's configuration; from after the name. */
export function readElement(view: View, from: number): number {
  const tagTo = view.runEnd(TAG, from + 2, LONGEST_TAG);
  if (view.waits(tagTo)) return wait(view, view.end);
  if (!view.spells('</', from) || view.at(tagTo) !== GREATER) return REFUSED;
  const at = view.runEnd(BETWEEN_MEMBERS, tagTo + 1, LONGEST_MEMBER_GAP);
  for (const element of ELEMENTS) {
    const spelled = view.spelled(element, at);
    if (spelled === element.length) return at + spelled;
    if (view.waits(at + spelled)) return wait(view, view.end);
  }
  return REFUSED;
}

const BLOCK = charset('|>');
const INDICATORS = charset('0-9+-');

/** `token: |`, `token: >-`, and the value on the next line (YAML 1.2 section 8.1): `from` itself where no such block begins. */
export function throughBlock(view: View, from: number): number {
  if (BLOCK[view.at(from)] === 0) return from;
  const lineTo = view.runEnd(INDICATORS, from + 1, 2);
  if (view.waits(lineTo)) return wait(view, view.end);
  if (view.at(lineTo) !== 0x0a && view.at(lineTo) !== 0x0d) return from;
  const value = view.runEnd(BETWEEN_MEMBERS, lineTo, LONGEST_MEMBER_GAP);
  return view.waits(value) ? wait(view, view.end) : value;
}

export const REFUSED = -1;
/** The text ends before the decision; `view.hold` is the position from which it must wait. */
export const WAITS = -2;

/** Most blanks that line values up behind their names. */
const GAP = 24;

export function wait(view: View, hold: number): typeof WAITS {
  view.more(hold);
  return WAITS;
}

export function skipBlanks(view: View, from: number): number {
  let at = from;
  while (at < from + GAP && (view.at(at) === 0x20 || view.at(at) === 0x09)) at++;
  return at;
}

const LOOKBACK = 200;
const BASE64URL = charset('A-Za-z0-9_=-');
const TAIL: Tail = { type: 'run', set: BASE64URL, joiners: null };
/** A P-256 scalar, or an octet key of 192 bits. */
const LEAST = 32;
/** The primes of an RSA key of 1024 bits, and what is reckoned with them. Nothing else of such names and length is generated. */
const LEAST_PRIME = 86;
const BITS = 6.2;
const OF_PRIME = /[pqi]/;
/** Members that identify a JSON Web Key, in quotes of any level. */
const TYPE = /\b(?:kty|crv|e|alg).\s*:\s*.(?:EC|OKP|RSA|oct|P-\d|secp|Ed|X2|X4|AQAB|HS\d|A\d|[REP]S\d)/;
const NOT_COMMA = charset('\x01-+\x2d-\xff');
const COMMA = 0x2c;
/** Bytes between a member and the next one's value. */
const LONGEST_KEY_GAP = 72;
const MEMBERS = charset('\x01-z|~-\xff');
/** Bytes in which an identifying member may follow the value: it waits for them in a stream. */
const AHEAD = 120;

/** `"d": "…"` or `"k": "…"` of a JSON Web Key (RFC 7518 section 6): the private or the symmetric part; `"p": "…"`, `"qi": "…"`. */
export function checkKeyMember(view: View, from: number, to: number): Verdict {
  let at = to;
  while (at < to + 4 && (view.at(at) === 0x3a || view.at(at) === 0x20)) at++;
  if (view.waits(at)) return view.more(view.end);
  if (at === to || !isQuote(view.at(at))) return NO;
  const start = at + 1;
  const end = view.runEnd(BASE64URL, start, EVIDENCE);
  const open = end - start === EVIDENCE;
  if (!open && view.waits(end)) return view.more(start);
  if (end - start < LEAST || isMonotonous(view.bytes, start, end)) return NO;
  if (OF_PRIME.test(view.text(from, to))) {
    const whole = open || isQuote(view.at(end));
    if (!whole || end - start < LEAST_PRIME || crossEntropy(view.bytes, start, end) < BITS) return NO;
    return view.found(start, end, open ? TAIL : null);
  }
  const before = view.text(Math.max(view.floor, from - LOOKBACK), from);
  if (followsPrime(view, from) || TYPE.test(before)) return view.found(start, end, open ? TAIL : null);
  if (open || !isQuote(view.at(end))) return NO;
  const membersTo = view.runEnd(MEMBERS, end, AHEAD);
  if (TYPE.test(view.text(end, membersTo))) return view.found(start, end);
  return membersTo - end < AHEAD && view.waits(membersTo) ? view.more(start) : NO;
}

/** Whether the member before ends in a value as long as a prime. */
function followsPrime(view: View, from: number): boolean {
  const comma = view.runStart(NOT_COMMA, from, LONGEST_KEY_GAP) - 1;
  if (view.at(comma) !== COMMA) return false;
  return comma - 1 - view.runStart(BASE64URL, comma - 1, LEAST_PRIME) === LEAST_PRIME;
}

const BASE64 = charset('A-Za-z0-9+/=');
const REGISTRY_AUTH_TAIL: Tail = { type: 'run', set: BASE64, joiners: null };

/** `"auth": "<base64 of user:password>"`, as container registries' configuration files keep it. */
export function checkRegistryAuth(view: View, _from: number, to: number): Verdict {
  let at = to;
  while (at < to + 8 && (view.at(at) === 0x20 || view.at(at) === 0x3a)) at++;
  if (view.waits(at)) return view.more(at);
  if (at === to || !isQuote(view.at(at))) return NO;
  const from = at + 1;
  const end = view.runEnd(BASE64, from, EVIDENCE);
  const open = end - from === EVIDENCE;
  if (!open && view.waits(end)) return view.more(from);
  if (end - from < 8) return NO;
  const pair = /^([\x20-\x7e]+?):([\x20-\x7e]+)$/.exec(Buffer.from(view.text(from, end), 'base64').toString('latin1'));
  if (pair === null || !isPassword(pair[2] ?? '', pair[1] ?? '', 3.4)) return NO;
  return view.found(from, end, open ? REGISTRY_AUTH_TAIL : null);
}
