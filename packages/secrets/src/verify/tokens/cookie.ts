import { charset, HEX } from '../../text/charset.ts';
import { crossEntropy, readsLikeWords } from '../cross-entropy.ts';
import { isPlaceholder } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';

const LOOKBACK = 128;
/** Bytes of a cookie's value (RFC 6265 section 4.1.1), except those that quote it in code and markup. */
const VALUE = charset('!#$%&*+./0-9:=?@A-Z^_a-z|~-');
const TAIL: Tail = { type: 'run', set: VALUE, joiners: null };
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
  return hex || crossEntropy(view.bytes, start, end) >= BITS ? view.found(start, end, open ? TAIL : null) : NO;
}
