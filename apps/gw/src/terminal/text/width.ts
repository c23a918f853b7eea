import { eastAsianWidth } from 'get-east-asian-width';

const WITHOUT_WIDTH = /^(?:\p{Mn}|\p{Me}|\p{Cf}|\p{Cc})/u;
/** Two columns wide also where the character alone has one: a flag consists of two letters. */
const EMOJI = /^\p{Emoji_Presentation}/u;
const ASCII = /^[\x20-\x7e]*$/;
const EMOJI_STYLE = '\ufe0f';
const KEYCAP = '\u20e3';

let segmenter: Intl.Segmenter | undefined;

/** What a person sees as one character each: letters with their accents, families, flags. */
export function graphemesOf(text: string): string[] {
  if (ASCII.test(text)) return text.split('');
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns of one grapheme. */
export function graphemeWidth(grapheme: string): 0 | 1 | 2 {
  if (grapheme.length === 1 && ASCII.test(grapheme)) return 1;
  if (WITHOUT_WIDTH.test(grapheme)) return 0;
  if (EMOJI.test(grapheme) || eastAsianWidth(grapheme.codePointAt(0) ?? 0) === 2) return 2;
  return grapheme.includes(EMOJI_STYLE) || grapheme.includes(KEYCAP) ? 2 : 1;
}

/** Columns that a text of one line takes in a terminal. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(text)) width += graphemeWidth(grapheme);
  return width;
}
