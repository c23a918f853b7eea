import type { Color, Line, Style } from './line.ts';

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
