import { charset, HEX } from '../../text/charset.ts';
import { beginsApart, checkEncoded } from '../boundary.ts';
import { crossEntropy } from '../cross-entropy.ts';
import { isPassword, isPlaceholder } from '../placeholder.ts';
import { EVIDENCE, NO, type Verdict, type View } from '../view.ts';

const SCHEME = charset('A-Za-z0-9+.-');
/** Bytes of the part before the path; quotes, blanks and brackets end it, contrary to the standard. */
const AUTHORITY = charset('!$&()*+,%.0-9:;=@A-Z[]^_a-z{|}~#\x80-\xff-');
/** Characters that people leave unescaped in a password: keys in base64, generated passwords. */
const UNESCAPED = charset('!$&()*+,%.0-9:;=A-Z[]^_a-z{|}~#/?\x80-\xff-');
const WEB = /^(?:https?|wss?|ftps?)$/i;
const NO_SECRET = /^(?:data|blob|file|about|chrome|vscode|urn)$/i;
const RESERVED_HOST = /^(?:[\w-]+\.)*(?:example|test|invalid|localhost)(?:\.(?:com|org|net))?(?:[:/]|$)/i;
/** A host name with a dot, or a port after it: follows a password that contains a solidus. */
const CLEAR_HOST = /^(?:[\w-]+\.)+[a-z]{2,}(?:[:/]|$)|^[\w.-]+:\d{2,5}/i;
const AT = 0x40;

/** `scheme://user:password@host`: the password is the finding. */
export function checkUrl(view: View, from: number, to: number): Verdict {
  const schemeFrom = view.runStart(SCHEME, from, 20);
  if (from - schemeFrom < 2) return NO;
  const colon = userEnd(view, to);
  if (colon === -1) return checkToken(view, schemeFrom, from, to);
  if (colon < 0) return view.more(mayBeToken(view, schemeFrom, from, to) ? to : view.end);
  const passwordFrom = colon + 1;
  const limit = EVIDENCE - 8;
  const stop = view.runEnd(AUTHORITY, passwordFrom, limit);
  if (stop - passwordFrom < limit && view.waits(stop))
    return view.more(mayBeToken(view, schemeFrom, from, to) ? to : passwordFrom);
  if (isPort(view, passwordFrom, stop)) return checkToken(view, schemeFrom, from, to);
  const password = lastAt(view, passwordFrom, stop);
  if (password <= passwordFrom) return checkUnescaped(view, passwordFrom, stop, passwordFrom + limit);
  const scheme =
    view
      .text(schemeFrom, from)
      .split(/[^A-Za-z0-9]/)
      .at(-1) ?? '';
  if (NO_SECRET.test(scheme)) return NO;
  const host = view.text(password + 1, stop);
  const web = WEB.test(scheme);
  const least = RESERVED_HOST.test(host) ? (web || password - passwordFrom < 8 ? 5.2 : 4.8) : web ? 4.2 : 3.6;
  const user = view.text(to, colon);
  return isPassword(view.text(passwordFrom, password), user, least) ? view.found(passwordFrom, password) : NO;
}

const TOKEN = charset('A-Za-z0-9_-');
const LONGEST_TOKEN = 63;
const LEAST_TOKEN = 20;
const TOKEN_BITS = 5.4;
/** Bytes from which on a beginning may be one. */
const TOKEN_SHOWS = 8;
/** Hexadecimal digits that are more than the public key in the address of an error tracker has. */
const LEAST_HEX = 40;

/** `https://token@host`, `https://token@host:443`, as in git remotes: a generated user’s name. */
function checkToken(view: View, schemeFrom: number, from: number, to: number): Verdict {
  const end = view.runEnd(TOKEN, to, LONGEST_TOKEN);
  if (view.at(end) !== AT || !isGenerated(view, to, end, LEAST_TOKEN, LEAST_HEX)) return NO;
  return WEB.test(view.text(schemeFrom, from)) && !isPlaceholder(view, to, end) ? view.found(to, end) : NO;
}

/** Whether the text ends in such a token, or shortly after it. A part of the token must not leave a stream before. */
function mayBeToken(view: View, schemeFrom: number, from: number, to: number): boolean {
  const end = view.runEnd(TOKEN, to, LONGEST_TOKEN);
  if (!view.waits(end) && view.at(end) !== AT) return false;
  return isGenerated(view, to, end, TOKEN_SHOWS, TOKEN_SHOWS) && WEB.test(view.text(schemeFrom, from));
}

function isGenerated(view: View, from: number, to: number, least: number, leastHex: number): boolean {
  const length = to - from;
  if (length < least) return false;
  const hex = view.runEnd(HEX, from, length) === to;
  return hex ? length >= leastHex : crossEntropy(view.bytes, from, to) >= TOKEN_BITS;
}

/** Minimum bytes and bits per character of a password that may contain its terminators. */
const UNESCAPED_LEAST = 10;
const UNESCAPED_BITS = 5.6;
const HOST_LENGTH = 40;

/**
 * `user:pass/word@host`: the standard requires `%2F`, but connection strings with a key in base64 do not use it. What follows may
 * also be a path with an `@`: only a host of clear form is accepted.
 */
function checkUnescaped(view: View, from: number, stop: number, limit: number): Verdict {
  if (UNESCAPED[view.at(stop)] === 0) return NO;
  const to = view.runEnd(UNESCAPED, stop, limit - stop);
  if (to < limit && view.waits(to)) return view.more(from);
  if (view.at(to) !== AT || to - from < UNESCAPED_LEAST) return NO;
  if (crossEntropy(view.bytes, from, to) < UNESCAPED_BITS || view.text(from, to).includes('://')) return NO;
  const hostTo = view.runEnd(AUTHORITY, to + 1, HOST_LENGTH);
  if (hostTo - to <= HOST_LENGTH && view.waits(hostTo)) return view.more(from);
  if (!CLEAR_HOST.test(view.text(to + 1, hostTo))) return NO;
  return isPassword(view.text(from, to), '', UNESCAPED_BITS) ? view.found(from, to) : NO;
}

function isPort(view: View, from: number, to: number): boolean {
  return to > from && to - from <= 5 && view.runEnd(DIGITS, from, 6) === to;
}

const DIGITS = charset('0-9');

/** Position of the colon after the user's name; -1 when there is none, -2 when the text ends before. */
function userEnd(view: View, from: number): number {
  let address = false;
  for (let at = from; at < from + 64; at++) {
    if (view.waits(at)) return -2;
    const byte = view.at(at);
    if (byte === 0x3a) return at;
    if (AUTHORITY[byte] === 0) return -1;
    if (byte !== AT) continue;
    if (address) return -1;
    address = true; // the user's name is a mail address
  }
  return -1;
}

function lastAt(view: View, from: number, to: number): number {
  for (let at = to - 1; at > from; at--) if (view.bytes[at] === AT) return at;
  return -1;
}

/** Schemes of addresses that usually contain a password; cluster manifests contain them in base64. */
const SCHEMES = [
  'postgres',
  'postgresql',
  'mysql',
  'mongodb',
  'mongodb+srv',
  'redis',
  'rediss',
  'amqp',
  'amqps',
] as const;
/** The letters of each with its sign, without the last, which depends on the next byte. */
const ENCODED = SCHEMES.map((scheme) => {
  const sign = Buffer.from(`${scheme}://`);
  return { scheme, letters: sign.toString('base64').slice(0, Math.floor((sign.length * 8) / 6)) };
});

export const ENCODED_SCHEMES: readonly string[] = ENCODED.map(({ letters }) => letters.toLowerCase());

/** An address in base64 with a password. The scheme is kept, to show what was there. */
export function checkEncodedUrl(view: View, from: number): Verdict {
  if (!beginsApart(view, from)) return NO;
  const known = ENCODED.find(({ letters }) => view.spells(letters, from));
  if (known === undefined) return NO;
  const { scheme, letters } = known;
  return checkEncoded(view, from, from + letters.length, (inner) => checkUrl(inner, scheme.length, scheme.length + 3));
}
