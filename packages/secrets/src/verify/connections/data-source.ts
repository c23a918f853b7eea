import { charset } from '../../text/charset.ts';
import { isQuote } from '../../text/unescape.ts';
import { isPassword } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';

/** Bits a character under which a password counts as a word (see `isPassword`). */
const LEAST = 3.6;
/** The same with only the name of a program, or an ambiguous sign, beside it. */
const LEAST_LOOSE = 4.8;
const LONGEST = 64;
const ACCOUNT = 28;
/** Bytes of a user's name, or of a password, in the notations below. */
const PART = charset('!#$%&*+,.0-9:;=?A-Z^_a-z~-');
const USER = charset('A-Za-z0-9._$%-');
const TAIL: Tail = { type: 'run', set: PART, joiners: null };
const BLANKS = charset(' \t');
const COLON = 0x3a;
const SLASH = 0x2f;
const HYPHEN = 0x2d;
const AT = 0x40;
const LESS = 0x3c;
const ROOT = '@/';

/**
 * `user:password@tcp(host)/name`, as the Go drivers of MySQL and Snowflake write it: the part before the network's name, or
 * before the account's host.
 */
export function checkNetworkAddress(view: View, from: number, to: number): Verdict {
  const end = passwordEnd(view, from);
  const start = passwordBefore(view, from);
  if (start < 0) return NO;
  const user = view.text(view.runStart(USER, start - 1, LONGEST), start - 1);
  if (user === '') return NO;
  // `@/` also begins paths of imports, `@(` an expression of a template
  const least = to - from === ROOT.length ? LEAST_LOOSE : LEAST;
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
  return view.at(keywordAt) === AT ? keywordAt : view.runStart(USER, keywordAt, ACCOUNT) - 1;
}

/** `jdbc:oracle:thin:user/password@host`, `sqlplus -s user/password@host`, `expdp user/"password"@name`. */
export function checkOracleLogon(view: View, from: number, to: number): Verdict {
  let user = to;
  while (view.at(user) === HYPHEN && user < to + 8) {
    user = view.runEnd(BLANKS, view.runEnd(USER, user, 4), 2);
    if (view.waits(user)) return view.more(view.end);
  }
  const slash = view.runEnd(USER, user, LONGEST);
  if (view.waits(slash)) return view.more(view.end);
  if (slash === user || view.at(slash) !== SLASH) return NO;
  if (view.waits(slash + 1)) return view.more(slash + 1);
  const quoted = isQuote(view.at(slash + 1));
  const start = quoted ? slash + 2 : slash + 1;
  const end = view.runEnd(PART, start, LONGEST);
  if (view.waits(end) || view.waits(end + 1)) return view.more(start);
  if (view.at(quoted ? end + 1 : end) !== AT || (quoted && !isQuote(view.at(end)))) return NO;
  const least = view.at(from) === 0x63 || view.at(from) === 0x43 ? LEAST_LOOSE : LEAST; // "connect" is a word, too
  return isPassword(view.text(start, end), view.text(user, slash), least) ? view.found(start, end) : NO;
}

const ENTRY =
  /(?:\bmachine\s+\S+|\bdefault)\s+(?:login\s+(\S+)(?:\s+account\s+\S+)?|account\s+\S+\s+login\s+(\S+))\s+$/;
const LOOKBACK = 128;

/** `machine host login user password …`, the entries of a netrc file, on one line or on several. */
export function checkNetrc(view: View, from: number, to: number): Verdict {
  if (view.at(from - 1) > 0x20) return NO;
  const entry = ENTRY.exec(view.text(Math.max(view.floor, from - LOOKBACK), from));
  if (entry === null) return NO;
  const start = view.runEnd(BLANKS, to, 4);
  const end = view.runEnd(PART, start, EVIDENCE);
  const open = end - start === EVIDENCE;
  if (!open && view.waits(end)) return view.more(start);
  const found = isPassword(view.text(start, end), entry[1] ?? entry[2] ?? '', LEAST);
  return found ? view.found(start, end, open ? TAIL : null) : NO;
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
