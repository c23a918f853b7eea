import { charset } from '../text/charset.ts';
import { UNDECIDED } from './line-number.ts';
import type { View } from './view.ts';

/** What a key is, in its first line and in its last. */
export const LABEL = charset('A-Za-z0-9 ');
export const DASHES = '-----';
const HYPHEN = 0x2d;
/** RFC 4716 has four dashes and a blank where the others have five dashes. */
export const END_LINES = ['-----END', '---- END'] as const;

/** End of an END line whose dashes stand between `from` and shortly after `to`; 0 when there is none, UNDECIDED to wait. */
export function endLine(view: View, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (view.bytes[at] !== HYPHEN) continue;
    if (view.waits(at + 8)) return UNDECIDED;
    const line = END_LINES.find((each) => view.spells(each, at));
    if (line === undefined) continue;
    const labelTo = view.runEnd(LABEL, at + line.length, 40);
    const dashes = line === END_LINES[0] ? DASHES : DASHES.slice(1);
    if (view.waits(labelTo + dashes.length)) return UNDECIDED;
    return view.spells(dashes, labelTo) ? labelTo + dashes.length : labelTo;
  }
  return 0;
}
