import { charset, HEX } from '../text/charset.ts';
import { isQuote } from '../text/unescape.ts';
import { beginsApart, checkEncoded } from './boundary.ts';
import { crossEntropy, readsLikeWords } from './cross-entropy.ts';
import { isPassword, isPlaceholder, passwordBits } from './placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from './view.ts';

const LOOKBACK = 128;
/** Bits a character under which a password counts as a word (see `isPassword`). */
const LISTED_LEAST_BITS = 3.8;
const VALUE = charset('!#$%*+,./0-9:?@A-Z^_a-z~=\\(){}[]|<>-');
const VALUE_TAIL: Tail = { type: 'run', set: VALUE, joiners: null };
/** Members of connection strings (ADO.NET, ODBC, JDBC, libpq) and options that name the password's owner. */
const MEMBERS =
  'server|data source|host|hostname|addr|address|network address|user ?id|uid|user|username|database|initial catalog|dbname|db|driver|dsn|provider|port|endpoint';
const COMPANY = new RegExp(
  `(?:^|[\\s;&?"'({,>]|%3b|%3f)(?:${MEMBERS}) ?(?:=|%3d)|jdbc:|odbc:|:\\/\\/[^\\s?]*\\?|:\\d{2,5},|\\s--[a-z-]*user(?:name)?[= ]|\\s-u ?\\w|(?:\\bpg|\\bmysql_|ansible_(?:become_|ssh_)?|spring\\.[\\w.]{1,24}\\.)$`,
  'i',
);
/** With blanks around the sign, as in assignments, only a list of members is sufficient. */
const LIST = new RegExp(`(?:^|[;"'>])\\s*(?:${MEMBERS}) ?=[^;]*;\\s*(?:[\\w ]+=[^;]*;\\s*)*$`, 'i');
const USER_MEMBER = /(?:user ?id|uid|user|username) ?= ?["']?([^\s;&"']+)[^]*$/i;
const BLANK = 0x20;
const PERCENT = 0x25;
const COMMA = 0x2c;
const BRACE = 0x7b;
const EQUALS = 0x3d;
const LESS = 0x3c;
const OPENING = charset('([{');
const CLOSING = charset(')]}');
const NAME = charset('A-Za-z_ ');
const LONGEST_NAME = 24;
/** A double quote in an attribute of XML. */
const QUOT = '&quot;';

/** `…;User Id=app;Password=<here>;…`, `jdbc:…?user=app&password=<here>`, `host=… user=app password=<here>`. */
export function checkConnectionPassword(view: View, from: number, to: number): Verdict {
  const at = valueStart(view, from, to);
  if (at < 0) return view.more(view.end);
  const apart = view.at(to - 2) === BLANK || view.at(to) === BLANK;
  const run = view.runEnd(VALUE, at, EVIDENCE);
  const encoded = view.at(to - 1) !== EQUALS;
  const stop = valueEnd(view, at, run, encoded);
  const end = Math.abs(stop);
  if (readsLikeWords(view, at, end)) return NO;
  const open = stop < 0 || (end === run && run - at < EVIDENCE && view.waits(run));
  if (!open && passwordBits(view.bytes, at, end) < LISTED_LEAST_BITS) return NO;
  const context = view.text(Math.max(view.floor, from - LOOKBACK), from);
  if (!(apart ? LIST : COMPANY).test(context.slice(context.lastIndexOf('\n') + 1))) return NO;
  if (open) return view.more(at);
  const user = USER_MEMBER.exec(context)?.[1] ?? '';
  const tail = end - at === EVIDENCE ? VALUE_TAIL : null;
  return isPassword(view.text(at, end), user, LISTED_LEAST_BITS) ? view.found(at, end, tail) : NO;
}

/** First byte of the value, after a blank and what opens it; -1 when the text ends before. */
function valueStart(view: View, from: number, to: number): number {
  const at = view.at(to) === BLANK ? to + 1 : to;
  if (view.waits(at)) return -1;
  const quot = view.spelled(QUOT, at);
  if (quot === QUOT.length) return at + quot;
  if (quot > 0 && view.waits(at + quot)) return -1;
  const opened = view.at(at) === BRACE || (isQuote(view.at(at)) && view.at(at) !== view.at(from - 1));
  return opened ? at + 1 : at;
}

/**
 * End of the value in the run `from` to `to`: a closing bracket that was not opened in it, a tag, the comma before the next
 * member, an encoded semicolon. Negative when the deciding byte is after the end of the text.
 */
function valueEnd(view: View, from: number, to: number, encoded: boolean): number {
  let depth = 0;
  for (let at = from; at < to; at++) {
    const byte = view.at(at);
    if (byte === LESS) return at;
    if (OPENING[byte] === 1) depth++;
    if (CLOSING[byte] === 1 && depth-- === 0) return at;
    if (byte === COMMA) {
      const name = view.runEnd(NAME, at + 1, LONGEST_NAME);
      if (name - at <= LONGEST_NAME && view.waits(name)) return -at;
      if (name > at + 1 && view.at(name) === EQUALS) return at;
    }
    if (!encoded || byte !== PERCENT) continue;
    if (view.waits(at + 2)) return -at;
    if (view.at(at + 1) === 0x33 && (view.at(at + 2) | 0x20) === 0x62) return at; // %3B
  }
  return to;
}

/** Bits a character under which a password counts as a word (see `isPassword`). */
const PAIRED_LEAST_BITS = 3.6;
/** The same with only the name of a program, or an ambiguous sign, beside it. */
const LEAST_LOOSE = 4.8;
const LONGEST = 64;
const ACCOUNT = 28;
/** Bytes of a user's name, or of a password, in the notations below. */
const PART = charset('!#$%&*+,.0-9:;=?A-Z^_a-z~-');
const USER_BYTES = charset('A-Za-z0-9._$%-');
const PART_TAIL: Tail = { type: 'run', set: PART, joiners: null };
const BLANKS = charset(' \t');
const COLON = 0x3a;
const SLASH = 0x2f;
const HYPHEN = 0x2d;
const AT = 0x40;
const ROOT = '@/';

/**
 * `user:password@tcp(host)/name`, as the Go drivers of MySQL and Snowflake write it: the part before the network's name, or
 * before the account's host.
 */
export function checkNetworkAddress(view: View, from: number, to: number): Verdict {
  const end = passwordEnd(view, from);
  const start = passwordBefore(view, from);
  if (start < 0) return NO;
  const user = view.text(view.runStart(USER_BYTES, start - 1, LONGEST), start - 1);
  if (user === '') return NO;
  // `@/` also begins paths of imports, `@(` an expression of a template
  const least = to - from === ROOT.length ? LEAST_LOOSE : PAIRED_LEAST_BITS;
  return isPassword(view.text(start, end), user, least) ? view.found(start, end) : NO;
}

/** Start of the password before a network's name, or before an account's host; -1 for none. */
export function passwordBefore(view: View, keywordAt: number): number {
  const end = passwordEnd(view, keywordAt);
  if (view.at(end) !== AT) return -1;
  for (let at = view.runStart(PART, end, LONGEST); at < end; at++) if (view.at(at) === COLON) return at + 1;
  return -1;
}

function passwordEnd(view: View, keywordAt: number): number {
  return view.at(keywordAt) === AT ? keywordAt : view.runStart(USER_BYTES, keywordAt, ACCOUNT) - 1;
}

/** `jdbc:oracle:thin:user/password@host`, `sqlplus -s user/password@host`, `expdp user/"password"@name`. */
export function checkOracleLogon(view: View, from: number, to: number): Verdict {
  let user = to;
  while (view.at(user) === HYPHEN && user < to + 8) {
    user = view.runEnd(BLANKS, view.runEnd(USER_BYTES, user, 4), 2);
    if (view.waits(user)) return view.more(view.end);
  }
  const slash = view.runEnd(USER_BYTES, user, LONGEST);
  if (view.waits(slash)) return view.more(view.end);
  if (slash === user || view.at(slash) !== SLASH) return NO;
  if (view.waits(slash + 1)) return view.more(slash + 1);
  const quoted = isQuote(view.at(slash + 1));
  const start = quoted ? slash + 2 : slash + 1;
  const end = view.runEnd(PART, start, LONGEST);
  if (view.waits(end) || view.waits(end + 1)) return view.more(start);
  if (view.at(quoted ? end + 1 : end) !== AT || (quoted && !isQuote(view.at(end)))) return NO;
  const least = view.at(from) === 0x63 || view.at(from) === 0x43 ? LEAST_LOOSE : PAIRED_LEAST_BITS; // "connect" is a word, too
  return isPassword(view.text(start, end), view.text(user, slash), least) ? view.found(start, end) : NO;
}

const ENTRY =
  /(?:\bmachine\s+\S+|\bdefault)\s+(?:login\s+(\S+)(?:\s+account\s+\S+)?|account\s+\S+\s+login\s+(\S+))\s+$/;

/** `machine host login user password …`, the entries of a netrc file, on one line or on several. */
export function checkNetrc(view: View, from: number, to: number): Verdict {
  if (view.at(from - 1) > 0x20) return NO;
  const entry = ENTRY.exec(view.text(Math.max(view.floor, from - LOOKBACK), from));
  if (entry === null) return NO;
  const start = view.runEnd(BLANKS, to, 4);
  const end = view.runEnd(PART, start, EVIDENCE);
  const open = end - start === EVIDENCE;
  if (!open && view.waits(end)) return view.more(start);
  const found = isPassword(view.text(start, end), entry[1] ?? entry[2] ?? '', PAIRED_LEAST_BITS);
  return found ? view.found(start, end, open ? PART_TAIL : null) : NO;
}

const FIELD = charset('A-Za-z0-9_.*$-');
const HOST = charset('A-Za-z0-9_.*[]/-');
const SECRET = charset('!#$%&*+,./0-9;=?@A-Z^_a-z~()[]{}-');
const LONGEST_FIELD = 63;

/** `host:port:database:user:password`, a line of a `.pgpass` file: asked at a port that is usual, or a wildcard. */
export function checkPasswordFile(view: View, from: number, to: number): Verdict {
  if (HOST[view.at(from - 1)] === 0) return NO;
  let [start, at] = [to, to];
  let user = '';
  for (let field = 0; field < 3; field++) {
    const secret = field === 2 || (field === 1 && isWildcard(view, from));
    at = view.runEnd(field === 0 ? FIELD : SECRET, start, LONGEST_FIELD);
    if (view.waits(at)) return view.more(field === 0 ? view.end : start);
    if (at === start || at - start === LONGEST_FIELD) return NO;
    if (view.at(at) !== COLON) {
      if (!secret || !ends(view.at(at))) return NO;
      return isPassword(view.text(start, at), user, LEAST_LOOSE) ? view.found(start, at) : NO;
    }
    user = view.text(start, at);
    start = at + 1;
  }
  return NO;
}

function ends(byte: number): boolean {
  return byte <= 0x20 || byte === LESS || isQuote(byte);
}

/** A wildcard may replace the port or, after a port, the database. */
function isWildcard(view: View, from: number): boolean {
  return view.at(from + 1) === 0x2a;
}

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
