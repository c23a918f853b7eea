import { graphemesOf, graphemeWidth, widthOf } from './width.ts';

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
