import { charset } from '../../text/charset.ts';
import { isQuote } from '../../text/unescape.ts';
import { readsLikeWords } from '../cross-entropy.ts';
import { isPassword, passwordBits } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';

const LOOKBACK = 128;
/** Bits a character under which a password counts as a word (see `isPassword`). */
const LEAST = 3.8;
const VALUE = charset('!#$%*+,./0-9:?@A-Z^_a-z~=\\(){}[]|<>-');
const TAIL: Tail = { type: 'run', set: VALUE, joiners: null };
/** Members of connection strings (ADO.NET, ODBC, JDBC, libpq) and options that name the password's owner. */
const MEMBERS =
  'server|data source|host|hostname|addr|address|network address|user ?id|uid|user|username|database|initial catalog|dbname|db|driver|dsn|provider|port|endpoint';
const COMPANY = new RegExp(
  `(?:^|[\\s;&?"'({,>]|%3b|%3f)(?:${MEMBERS}) ?(?:=|%3d)|jdbc:|odbc:|:\\/\\/[^\\s?]*\\?|:\\d{2,5},|\\s--[a-z-]*user(?:name)?[= ]|\\s-u ?\\w|(?:\\bpg|\\bmysql_|ansible_(?:become_|ssh_)?|spring\\.[\\w.]{1,24}\\.)$`,
  'i',
);
/** With blanks around the sign, as in assignments, only a list of members is sufficient. */
const LIST = new RegExp(`(?:^|[;"'>])\\s*(?:${MEMBERS}) ?=[^;]*;\\s*(?:[\\w ]+=[^;]*;\\s*)*$`, 'i');
const USER = /(?:user ?id|uid|user|username) ?= ?["']?([^\s;&"']+)[^]*$/i;
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
  if (!open && passwordBits(view.bytes, at, end) < LEAST) return NO;
  const context = view.text(Math.max(view.floor, from - LOOKBACK), from);
  if (!(apart ? LIST : COMPANY).test(context.slice(context.lastIndexOf('\n') + 1))) return NO;
  if (open) return view.more(at);
  const user = USER.exec(context)?.[1] ?? '';
  const tail = end - at === EVIDENCE ? TAIL : null;
  return isPassword(view.text(at, end), user, LEAST) ? view.found(at, end, tail) : NO;
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
