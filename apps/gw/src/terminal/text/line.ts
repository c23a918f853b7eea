import { eastAsianWidth } from 'get-east-asian-width';

export type Color = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'gray';
export interface Style {
  readonly color?: Color;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
}
/** A text of one style, without control characters. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}
export type Line = readonly Span[];

const PLAIN: Style = {};
export const BLANK: Line = [];

export function span(text: string, style: Style = PLAIN): Span {
  return { text, style };
}
export function line(text: string, style: Style = PLAIN): Line {
  return text === '' ? BLANK : [span(text, style)];
}
export function plainText(spans: Line): string {
  return spans.map(({ text }) => text).join('');
}
export function lineWidth(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}
/** Adds a style to every span; a span's own style is kept. */
export function applyStyle(spans: Line, style: Style): Line {
  return spans.map((each) => ({ text: each.text, style: { ...style, ...each.style } }));
}

/** The first `columns` columns of a line; a cut one ends in `…`. */
export function truncate(spans: Line, columns: number): Line {
  if (lineWidth(spans) <= columns) return spans;
  const kept: Span[] = [];
  let room = columns - 1;
  for (const { text, style } of spans) {
    let taken = '';
    for (const grapheme of graphemesOf(text)) {
      room -= graphemeWidth(grapheme);
      if (room < 0) return columns < 1 ? BLANK : [...kept, span(`${taken}…`, style)];
      taken += grapheme;
    }
    kept.push(span(taken, style));
  }
  return kept;
}

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

/** `plain`: no attribute at all (a dumb terminal). `attributes`: no colour (NO_COLOR). */
export type Palette = 'plain' | 'attributes' | 'colors';

const COLORS: Readonly<Record<Color, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  gray: 90,
};

/** A line as the terminal takes it. Every style ends with its span, so that texts can be joined. */
export function encode(spans: Line, palette: Palette): string {
  let out = '';
  for (const { text, style } of spans) {
    const codes = text === '' || palette === 'plain' ? '' : codesOf(style, palette);
    out += codes === '' ? text : `\x1b[${codes}m${text}\x1b[0m`;
  }
  return out;
}

function codesOf(style: Style, palette: Palette): string {
  const codes: number[] = [];
  if (style.bold) codes.push(1);
  if (style.dim) codes.push(2);
  if (style.italic) codes.push(3);
  if (style.underline) codes.push(4);
  if (style.inverse) codes.push(7);
  if (style.strike) codes.push(9);
  if (style.color !== undefined && palette === 'colors') codes.push(COLORS[style.color]);
  return codes.join(';');
}
