import { charset } from '../../text/charset.ts';
import { beginsHere } from '../boundary.ts';
import { isMonotonous } from '../placeholder.ts';
import { NO, type Verdict, type View } from '../view.ts';

const BASE32 = charset('A-Z2-7');
const ROLES = charset('OACUNX');
const LENGTH = 58;
const WITHIN = 48;

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

/**
 * A NATS seed: `S`, the letter of a role, then base32, 58 characters in all. It has no longer beginning of its own to
 * look for, so it is sought after a word that speaks of it: `nkey`, `seed`, `nk -gen`.
 */
export function checkNkeySeed(view: View, from: number, to: number): Verdict {
  if (!beginsHere(view, from) && !isCapital(view.at(from))) return NO;
  let at = to;
  while (at < to + WITHIN) {
    if (view.waits(at)) return view.more(at);
    if (at >= view.end) return NO;
    if (view.bytes[at] !== 0x53 || !beginsHere(view, at)) {
      at++;
      continue;
    }
    const end = view.runEnd(BASE32, at, LENGTH + 1);
    if (view.waits(end)) return view.more(at);
    if (end - at === LENGTH && ROLES[view.at(at + 1)] === 1 && !isMonotonous(view.bytes, at, end)) {
      return view.found(at, end);
    }
    at = Math.max(end, at + 1);
  }
  return NO;
}
