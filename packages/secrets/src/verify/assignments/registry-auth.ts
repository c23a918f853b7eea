import { charset } from '../../text/charset.ts';
import { isQuote } from '../../text/quotes.ts';
import { isPassword } from '../password.ts';
import { EVIDENCE, NO, type Tail, type Verdict, type View } from '../view.ts';

const BASE64 = charset('A-Za-z0-9+/=');
const TAIL: Tail = { type: 'run', set: BASE64, joiners: null };

/** `"auth": "<base64 of user:password>"`, as container registries' configuration files keep it. */
export function checkRegistryAuth(view: View, _from: number, to: number): Verdict {
  let at = to;
  while (at < to + 8 && (view.at(at) === 0x20 || view.at(at) === 0x3a)) at++;
  if (view.waits(at)) return view.more(at);
  if (at === to || !isQuote(view.at(at))) return NO;
  const from = at + 1;
  const end = view.runEnd(BASE64, from, EVIDENCE);
  const open = end - from === EVIDENCE;
  if (!open && view.waits(end)) return view.more(from);
  if (end - from < 8) return NO;
  const pair = /^([\x20-\x7e]+?):([\x20-\x7e]+)$/.exec(Buffer.from(view.text(from, end), 'base64').toString('latin1'));
  if (pair === null || !isPassword(pair[2] ?? '', pair[1] ?? '', 3.4)) return NO;
  return view.found(from, end, open ? TAIL : null);
}
