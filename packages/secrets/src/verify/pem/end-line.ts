import { charset } from '../../text/charset.ts';
import type { View } from '../view.ts';
import { UNDECIDED } from './line-number.ts';

/** The type of a key, in its first and last line. */
export const LABEL = charset('A-Za-z0-9 ');
export const DASHES = '-----';
const HYPHEN = 0x2d;
/** RFC 4716 has four dashes and a blank where the others have five dashes. */
export const END_LINES = ['-----END', '---- END'] as const;

/** End of an END line whose dashes are between `from` and shortly after `to`; 0 for none, UNDECIDED to wait. */
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

/** Common letters of all END lines encoded in base64, once or twice, at any byte offset. */
const ENCODED_ENDS = encodingsOf('-----END ').flatMap((once) => [once, ...encodingsOf(once)]);
/** Letters of the longest END line that was encoded twice. */
const LONGEST_ENCODED = 76;

/** The letters of a text in base64 at any offset, without those that depend on its neighbours. */
function encodingsOf(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + text);
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}

/** Whether the base64 that ends at `to` ends in an END line that was encoded. */
export function endsEncoded(view: View, to: number): boolean {
  const text = view.text(Math.max(view.floor, to - LONGEST_ENCODED), to);
  return ENCODED_ENDS.some((end) => text.includes(end));
}
