import { charset } from '../../text/charset.ts';
import { isQuote } from '../../text/unescape.ts';
import { crossEntropy } from '../cross-entropy.ts';
import { isMonotonous, isPassword } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';

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
const LONGEST_GAP = 72;
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
  const comma = view.runStart(NOT_COMMA, from, LONGEST_GAP) - 1;
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
