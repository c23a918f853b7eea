import { BASE64_ANY } from '../../text/charset.ts';
import { beginsHere } from '../boundary.ts';
import { EVIDENCE, NO, type Verdict, type View } from '../view.ts';
import { UNDECIDED } from './line-number.ts';
import { LEAST_LINE, lineAfter, PEM_TAIL } from './pem.ts';

/** A PEM file encoded in base64, once or twice, on one line or several: its decoded text shows whether it is a private key. */
export function checkWrappedPem(view: View, from: number): Verdict {
  if (!beginsHere(view, from)) return NO;
  const to = view.runEnd(BASE64_ANY, from, EVIDENCE);
  const open = to - from === EVIDENCE;
  if (!open && view.waits(to)) return view.more(from);
  if (to - from < LEAST_LINE) return NO;
  const once = decode(view.text(from, to));
  const twice = once.startsWith('LS0tLS1') ? decode(once) : once;
  if (!/-----BEGIN [A-Z0-9 ]*PRIVATE KEY/.test(twice)) return NO;
  if (open) return view.found(from, to, PEM_TAIL);
  const next = lineAfter(view, to);
  if (next === UNDECIDED) return view.more(from);
  return next === 0 ? NO : view.found(from, to, PEM_TAIL);
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}
