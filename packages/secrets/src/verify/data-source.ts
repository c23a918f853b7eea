import { charset } from '../text/charset.ts';
import { isQuote } from '../text/quotes.ts';
import { isPassword } from './password.ts';
import { EVIDENCE, NO, type Verdict, type View } from './view.ts';

/** Bits a character under which a password counts as a word (see `isPassword`). */
const LEAST = 3.6;
const LONGEST = 64;
/** Bytes of a user's name, or of a password, in the notations below. */
const PART = charset('!#$%&*+,.0-9:;=?A-Z^_a-z~-');
const USER = charset('A-Za-z0-9._$%-');
const COLON = 0x3a;
const SLASH = 0x2f;

/** `user:password@tcp(host)/name`, as the Go driver of MySQL writes it: what stands before the network's name. */
export function checkNetworkAddress(view: View, from: number): Verdict {
  const start = view.runStart(PART, from, LONGEST);
  for (let at = start; at < from; at++) {
    if (view.at(at) !== COLON) continue;
    const user = view.text(view.runStart(USER, at, LONGEST), at);
    return user !== '' && isPassword(view.text(at + 1, from), user, LEAST) ? view.found(at + 1, from) : NO;
  }
  return NO;
}

/** `jdbc:oracle:thin:user/password@host`, `sqlplus user/password@host`. */
export function checkOracleLogon(view: View, _from: number, to: number): Verdict {
  const slash = view.runEnd(USER, to, LONGEST);
  if (view.waits(slash)) return view.more(view.end);
  if (slash === to || view.at(slash) !== SLASH) return NO;
  const end = view.runEnd(PART, slash + 1, LONGEST);
  if (view.waits(end)) return view.more(slash + 1);
  if (view.at(end) !== 0x40) return NO;
  return isPassword(view.text(slash + 1, end), view.text(to, slash), LEAST) ? view.found(slash + 1, end) : NO;
}

/** `machine host login user password …`, the entries of a netrc file. */
export function checkNetrc(view: View, from: number, to: number): Verdict {
  const before = view.text(Math.max(view.floor, from - 128), from);
  const user = /\b(?:machine\s+\S+|default)\s+login\s+(\S+)$/.exec(before)?.[1];
  if (user === undefined) return NO;
  const end = view.runEnd(PART, to, LONGEST);
  if (view.waits(end)) return view.more(to);
  return isPassword(view.text(to, end), user, LEAST) ? view.found(to, end) : NO;
}

/** `mysqli_connect("host", "user", "password"`, `new PDO("dsn", "user", "password"`: the third of three literals. */
export function checkConnectCall(view: View, _from: number, to: number): Verdict {
  let at = to;
  let user = '';
  for (let argument = 1; argument <= 3; argument++) {
    while (at < to + 2 * EVIDENCE && (view.at(at) === 0x20 || view.at(at) === 0x2c || view.at(at) === 0x0a)) at++;
    if (view.waits(at)) return view.more(view.end);
    const quote = view.at(at);
    if (!isQuote(quote)) return NO;
    const from = at + 1;
    for (at = from; view.at(at) !== quote; at++) {
      if (view.waits(at)) return view.more(argument === 3 ? from : view.end);
      if (view.at(at) < 0x20 || at - from >= EVIDENCE) return NO;
    }
    const text = view.text(from, at);
    if (argument === 3) return isPassword(text, user, LEAST) ? view.found(from, at) : NO;
    user = text;
    at++;
  }
  return NO;
}
