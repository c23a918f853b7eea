import { charset } from '../text/charset.ts';
import { isQuote } from '../text/quotes.ts';
import { isPassword } from './password.ts';
import { readsLikeWords, surprise } from './surprise.ts';
import { EVIDENCE, NO, type Verdict, type View } from './view.ts';

const LOOKBACK = 128;
/** Bits a character under which a password counts as a word (see `isPassword`). */
const LEAST = 3.8;
const VALUE = charset('!#$%*+,./0-9:?@A-Z^_a-z~=\\(){}[]|<>-');
/** Members of connection strings (ADO.NET, ODBC, JDBC, libpq) that say whose password this is. */
const COMPANY =
  /(?:^|[\s;&?"'({])(?:server|data source|host|addr|address|network address|user ?id|uid|user|username|database|initial catalog|dbname|driver|dsn|provider|port|endpoint) ?=|jdbc:|odbc:/i;
const USER = /(?:user ?id|uid|user|username) ?= ?["']?([^\s;&"']+)[^]*$/i;

/** `…;User Id=app;Password=<here>;…`, `jdbc:…?user=app&password=<here>`, `host=… user=app password=<here>`. */
export function checkConnectionPassword(view: View, from: number, to: number): Verdict {
  if (view.waits(to)) return view.more(to);
  const quote = isQuote(view.at(to)) && view.at(to) !== view.at(from - 1) ? view.at(to) : 0;
  const start = quote === 0 ? to : to + 1;
  const end = view.runEnd(VALUE, start, EVIDENCE);
  if (readsLikeWords(view, start, end)) return NO;
  if (!(view.waits(end) && end - start < EVIDENCE) && surprise(view.bytes, start, end) < LEAST) return NO;
  const context = view.text(Math.max(view.floor, from - LOOKBACK), from);
  if (!COMPANY.test(context.slice(context.lastIndexOf('\n') + 1))) return NO;
  if (end - start < EVIDENCE && view.waits(end)) return view.more(start);
  const user = USER.exec(context)?.[1] ?? '';
  return isPassword(view.text(start, end), user, LEAST) ? view.found(start, end) : NO;
}
