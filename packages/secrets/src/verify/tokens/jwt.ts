import { charset, HEX } from '../../text/charset.ts';
import { beginsHere } from '../boundary.ts';
import { crossEntropy, readsLikeWords } from '../cross-entropy.ts';
import { isMonotonous, isPlaceholder } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';

const BASE64URL = charset('A-Za-z0-9_=-');
const TAIL: Tail = { type: 'run', set: BASE64URL, joiners: charset('./+') };
/** Members of a JOSE header (RFC 7515 section 4.1, RFC 7516 section 4.1). */
const JOSE = /^\s*\{\s*"(?:alg|typ|kid|enc|jku|jwk|x5u|x5c|x5t|x5t#S256|cty|crit|zip|b64|epk|apu|apv|ver|p2s|p2c)"/;
/**
 * Public by design: the token of the introduction at jwt.io, the demonstration keys of local Supabase stacks, and the anonymous key
 * of a Supabase project, which every page of the project contains.
 */
const WELL_KNOWN = [
  /"sub":"1234567890","name":"John Doe"/,
  /"iss":"supabase-demo"/,
  /^\{"iss":"supabase","ref":"[a-z]{20}","role":"anon"/,
];

/** A JSON Web Token: a first part that decodes to a JOSE header, and a second one. */
export function checkJwt(view: View, from: number): Verdict {
  if (view.at(from) !== 0x65 || view.at(from + 1) !== 0x79 || view.at(from + 2) !== 0x4a) return NO;
  if (!beginsHere(view, from) || view.at(from - 1) === 0x2e) return NO;
  const headerTo = view.runEnd(BASE64URL, from, EVIDENCE);
  if (headerTo - from === EVIDENCE) return hasHeader(view, from, headerTo) ? view.found(from, headerTo, TAIL) : NO;
  if (view.waits(headerTo)) return view.more(from);
  if (view.at(headerTo) !== 0x2e || !hasHeader(view, from, headerTo)) return NO;
  const room = EVIDENCE + 24 - (headerTo + 1 - from);
  const bodyTo = view.runEnd(BASE64URL, headerTo + 1, room);
  if (bodyTo - headerTo - 1 < room && view.waits(bodyTo)) return view.more(from);
  if (bodyTo - headerTo < 12 || isMonotonous(view.bytes, headerTo + 1, bodyTo)) return NO;
  if (isWellKnown(view.text(headerTo + 1, bodyTo))) return NO;
  return view.found(from, bodyTo, TAIL);
}

function hasHeader(view: View, from: number, to: number): boolean {
  return JOSE.test(Buffer.from(view.text(from, to), 'base64url').toString('latin1'));
}

function isWellKnown(body: string): boolean {
  const text = Buffer.from(body, 'base64url').toString('latin1');
  return WELL_KNOWN.some((pattern) => pattern.test(text));
}

const BASE32 = charset('A-Z2-7');
const ROLES = charset('OACUNX');
const LENGTH = 58;
const WITHIN = 48;

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

/**
 * A NATS seed: `S`, the letter of a role, then base32, 58 characters in all. It has no longer beginning of its own to
 * look for, so it is sought after a word that speaks of it: `nkey`, `seed`, `nk -gen`.
 */
export function checkNkeySeed(view: View, from: number, to: number): Verdict {
  if (!beginsHere(view, from) && !isCapital(view.at(from))) return NO;
  let at = to;
  while (at < to + WITHIN) {
    if (view.waits(at)) return view.more(at);
    if (at >= view.end) return NO;
    if (view.bytes[at] !== 0x53 || !beginsHere(view, at)) {
      at++;
      continue;
    }
    const end = view.runEnd(BASE32, at, LENGTH + 1);
    if (view.waits(end)) return view.more(at);
    if (end - at === LENGTH && ROLES[view.at(at + 1)] === 1 && !isMonotonous(view.bytes, at, end)) {
      return view.found(at, end);
    }
    at = Math.max(end, at + 1);
  }
  return NO;
}

const LOOKBACK = 128;
/** Bytes of a cookie's value (RFC 6265 section 4.1.1), except those that quote it in code and markup. */
const VALUE = charset('!#$%&*+./0-9:=?@A-Z^_a-z|~-');
const COOKIE_TAIL: Tail = { type: 'run', set: VALUE, joiners: null };
const NAME = charset('A-Za-z0-9_.-');
const LEAST = 16;
const LEAST_HEX = 24;
/** Bits a character from which a value counts as generated. */
const BITS = 5.2;
/** Names that only sessions have; any other needs a word for cookies before it. */
const INDICATIVE =
  /(?:jsessionid|phpsessid|asp\.net_sessionid|aspsessionid[a-z]*|connect\.sid|laravel_session|ci_session)=$/i;
const COOKIE = /cookie/i;

/** `Cookie: …; session=…`, `JSESSIONID=…`: anybody with the value can act as its owner. */
export function checkCookie(view: View, from: number, to: number): Verdict {
  const start = view.at(to - 1) === 0x3d ? to : view.runEnd(NAME, to, 16) + 1;
  if (view.waits(start - 1)) return view.more(view.end);
  if (view.at(start - 1) !== 0x3d) return NO;
  const end = view.runEnd(VALUE, start, EVIDENCE);
  if (readsLikeWords(view, start, end)) return NO;
  const before = view.text(Math.max(view.floor, from - LOOKBACK), start);
  if (!INDICATIVE.test(before) && !COOKIE.test(before)) return NO;
  const open = end - start === EVIDENCE;
  if (!open && view.waits(end)) return view.more(start);
  const length = end - start;
  if (length < LEAST || isPlaceholder(view, start, end)) return NO;
  const hex = length >= LEAST_HEX && view.runEnd(HEX, start, length) === end;
  return hex || crossEntropy(view.bytes, start, end) >= BITS ? view.found(start, end, open ? COOKIE_TAIL : null) : NO;
}
