/** Characters that a terminal shows two columns wide. */
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d8c}\u{1aff0}-\u{1b2fb}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})/u;
const WITHOUT_WIDTH = /^(?:\p{Mn}|\p{Me}|\p{Cf}|\p{Cc})/u;
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
  if (WIDE.test(grapheme)) return 2;
  if (WITHOUT_WIDTH.test(grapheme)) return 0;
  return grapheme.includes(EMOJI_STYLE) || grapheme.includes(KEYCAP) ? 2 : 1;
}

/** Columns that a text of one line takes in a terminal. */
export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(text)) width += graphemeWidth(grapheme);
  return width;
}
