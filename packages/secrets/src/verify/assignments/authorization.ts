import { BASE64_ANY, charset } from '../../text/charset.ts';
import { isQuote } from '../../text/quotes.ts';
import { crossEntropy } from '../cross-entropy.ts';
import { isPassword } from '../password.ts';
import { isMonotonous, isPlaceholder } from '../placeholder.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';
import { isUuid } from './value.ts';

const TOKEN68 = charset('A-Za-z0-9._~+/=-');
const TAIL: Tail = { type: 'run', set: TOKEN68, joiners: null };

/** `Bearer <token>` (RFC 6750): any opaque token that reads as generated. */
export function checkBearer(view: View, from: number, to: number): Verdict {
  if (isWordBefore(view, from)) return NO;
  const end = view.runEnd(TOKEN68, to, EVIDENCE);
  const open = end - to === EVIDENCE;
  if (!open && view.waits(end)) return view.more(to);
  const last = open ? end : trimPunctuation(view, to, end);
  if (last - to < 16 || isPlaceholder(view, to, last)) return NO;
  const text = view.text(to, last);
  const opaque = /^[0-9a-f]{24,}$/i.test(text) || isUuid(text) || crossEntropy(view.bytes, to, last) >= 5;
  return opaque ? view.found(to, last, open ? TAIL : null) : NO;
}

/** `Basic <base64 of user:password>` (RFC 7617). */
export function checkBasic(view: View, from: number, to: number): Verdict {
  if (isWordBefore(view, from)) return NO;
  const end = view.runEnd(BASE64_ANY, to, EVIDENCE);
  const open = end - to === EVIDENCE;
  if (!open && view.waits(end)) return view.more(to);
  if (end - to < 12 || isMonotonous(view.bytes, to, end)) return NO;
  const tail = open ? TAIL : null;
  const decoded = Buffer.from(view.text(to, end), 'base64').toString('latin1');
  const pair = /^([\x20-\x7e]*?):([\x20-\x7e]*)$/.exec(decoded);
  if (pair !== null) return isPassword(pair[2] ?? '', pair[1] ?? '', 3.4) ? view.found(to, end, tail) : NO;
  return crossEntropy(view.bytes, to, end) >= 5.6 ? view.found(to, end, tail) : NO;
}

/** Programs whose option takes a user and a password, and what separates the two. */
const USER_OPTIONS: readonly (readonly [program: RegExp, separator: number])[] = [
  [/\b(?:curl\b|https?(?: |$))/, 0x3a],
  [/\b(?:smbclient|rpcclient|smbget|smbcacls|smbcquotas|winexe|net (?:rpc|ads))\b/, 0x25],
  [/\blftp\b/, 0x2c],
];
const LOOKBACK = 128;
const LESS = 0x3c;

/** `curl -u user:password`, `curl --user user:password`, `smbclient -U user%password`, `lftp -u user,password`. */
export function checkUserOption(view: View, from: number, to: number): Verdict {
  let at = to;
  if (view.waits(at)) return view.more(at);
  if (view.at(at) === 0x20) at++;
  if (view.waits(at)) return view.more(at);
  const before = view.text(Math.max(view.floor, from - LOOKBACK), from);
  const separator = USER_OPTIONS.find(([program]) => program.test(before))?.[1];
  if (separator === undefined) return NO;
  const quote = view.at(at);
  if (isQuote(quote)) at++;
  const start = at;
  for (let separated = -1; at < start + EVIDENCE; at++) {
    if (view.waits(at)) return view.more(separated < 0 ? at : separated + 1);
    const byte = view.at(at);
    if (isQuote(quote) && byte !== quote && isQuote(byte)) return NO;
    if (byte === separator && separated < 0) separated = at;
    const ended = byte < 0x20 || (isQuote(quote) ? byte === quote : byte === 0x20 || byte === LESS || isQuote(byte));
    if (!ended) continue;
    if (separated < 0 || !isPassword(view.text(separated + 1, at), view.text(start, separated), 3.6)) return NO;
    return view.found(separated + 1, at);
  }
  return NO;
}

function isWordBefore(view: View, from: number): boolean {
  const before = view.at(from - 1);
  return (before >= 0x61 && before <= 0x7a) || (before >= 0x41 && before <= 0x5a);
}

/** A full stop or dash that ends the sentence is not part of the token. */
function trimPunctuation(view: View, from: number, to: number): number {
  let at = to;
  while (at > from && (view.bytes[at - 1] === 0x2e || view.bytes[at - 1] === 0x2d)) at--;
  return at;
}
