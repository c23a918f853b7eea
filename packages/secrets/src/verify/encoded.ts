import { BASE64_ANY } from '../text/charset.ts';
import { EVIDENCE, NO, type Tail, type Verdict, View } from './view.ts';

const RUN: Tail = { type: 'run', set: BASE64_ANY, joiners: null };

/**
 * Asks a check of what the run of base64 at `from` decodes to, and answers that the run is the finding, from `valueFrom` on. As
 * for any value, the first bytes of a long run decide.
 */
export function checkEncoded(view: View, from: number, valueFrom: number, check: (inner: View) => Verdict): Verdict {
  const to = view.runEnd(BASE64_ANY, from, EVIDENCE);
  const open = to - from === EVIDENCE;
  const waits = !open && view.waits(to);
  const inner = new View();
  inner.bytes = Buffer.from(view.text(from, to), 'base64');
  inner.end = inner.bytes.length;
  inner.final = !waits && !open;
  if (check(inner) === NO) return NO;
  return waits ? view.more(valueFrom) : view.found(valueFrom, to, open ? RUN : null);
}
