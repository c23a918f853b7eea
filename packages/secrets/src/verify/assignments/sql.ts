import { charset } from '../../text/charset.ts';
import { isQuote } from '../../text/quotes.ts';
import { isPassword } from '../password.ts';
import { EVIDENCE, NO, type Verdict, type View } from '../view.ts';

const LOOKBACK = 120;
/** Bits a character under which a password counts as a word (see `isPassword`). */
const LEAST = 3.8;
const LEAST_BARE = 5;
const BARE = charset('!#$%&*+,./0-9:=?@A-Z^_a-z~-');
/** What makes `… 'literal'` the password of an account. */
const STATEMENT =
  /\b(?:create|alter|drop|set|grant|identified|change)\b[^;]{0,100}\b(?:user|role|login|with|for|server|master|identified)\b/i;
const HASH = /\b(?:by password|with)\s*$/i;

/** `CREATE USER … IDENTIFIED BY '…'`, `ALTER ROLE … PASSWORD '…'`: the password that a statement gives an account. */
export function checkStatement(view: View, from: number, to: number): Verdict {
  let at = to - 1;
  if (!isQuote(view.at(at))) at = to;
  if (view.waits(at)) return view.more(view.end);
  const quote = isQuote(view.at(at)) ? view.at(at) : 0;
  const start = quote === 0 ? at : at + 1;
  const end = quote === 0 ? view.runEnd(BARE, start, EVIDENCE) : literalEnd(view, start, quote);
  if (end < 0 || end - start >= EVIDENCE) return NO;
  const before = view.text(Math.max(view.floor, from - LOOKBACK), to);
  if (!STATEMENT.test(before) || HASH.test(before)) return NO;
  if (view.waits(end)) return view.more(start);
  return isPassword(view.text(start, end), '', quote === 0 ? LEAST_BARE : LEAST) ? view.found(start, end) : NO;
}

function literalEnd(view: View, from: number, quote: number): number {
  for (let at = from; at < from + EVIDENCE; at++) {
    if (view.waits(at) || view.at(at) === quote) return at;
    if (view.at(at) <= 0x20 && !isQuote(view.at(at))) return -1;
  }
  return -1;
}
