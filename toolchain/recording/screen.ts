/* oxlint-disable no-control-regex -- terminals send and read them */
import { graphemesOf, graphemeWidth } from '../../apps/gw/src/terminal/text/line.ts';

/** How characters look: a colour as SVG names it, null for the usual one. */
export interface Style {
  readonly color: string | null;
  readonly background: string | null;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underlined: boolean;
  readonly inverse: boolean;
}
export interface Cell {
  readonly text: string;
  readonly style: Style;
}
/** Rows of cells; a row ends where nothing follows. The cell after a wide character has no text. */
export type Picture = readonly (readonly Cell[])[];

export interface Screen {
  write(text: string): void;
  text(): string;
  picture(): { readonly rows: Picture; readonly cursor: { readonly row: number; readonly column: number } };
}

const PLAIN: Style = {
  color: null,
  background: null,
  bold: false,
  dim: false,
  italic: false,
  underlined: false,
  inverse: false,
};
const BLANK: Cell = { text: ' ', style: PLAIN };
const COLORS = ['#3b4252', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#d8dee9'];
const BRIGHT = ['#7f8899', '#ef8a92', '#b3d89c', '#f0d399', '#84c1f7', '#d8a0e8', '#7fcdd8', '#ffffff'];
const LEVELS = [0, 95, 135, 175, 215, 255];
const SEQUENCE = /\x1b\[([\d;:?<=>]*)([A-Za-z])|(\x1b\][^\x07]*\x07)|([^\x1b]+)/g;

/** A terminal with styles: what `gw` sends to it, as rows of cells. */
export function createScreen(columns: number, rows: number): Screen {
  const lines: Cell[][] = Array.from({ length: rows }, () => []);
  let [row, column, style] = [0, 0, PLAIN];

  const feed = (): void => {
    if (row < rows - 1) row += 1;
    else {
      lines.shift();
      lines.push([]);
    }
  };
  const put = (text: string): void => {
    const width = graphemeWidth(text);
    if (width === 0) return;
    if (column + width > columns) {
      column = 0;
      feed();
    }
    const line = lines[row] ?? [];
    while (line.length < column) line.push(BLANK);
    line[column] = { text, style };
    if (width === 2) line[column + 1] = { text: '', style };
    column += width;
  };
  const control = (parameters: string, final: string): void => {
    const number = Number(parameters.split(';')[0]) || 0;
    const line = lines[row] ?? [];
    if (final === 'm') style = applyStyle(style, parameters);
    else if (final === 'A') row = Math.max(0, row - Math.max(1, number));
    else if (final === 'B') row = Math.min(rows - 1, row + Math.max(1, number));
    else if (final === 'G') column = Math.max(0, number - 1);
    else if (final === 'K') line.length = Math.min(line.length, column);
    else if (final === 'J') {
      line.length = Math.min(line.length, column);
      for (let below = row + 1; below < rows; below += 1) lines[below] = [];
    } else if (!/[hlunc]/.test(final)) throw new Error(`The recording knows no CSI ${parameters}${final}.`);
  };
  return {
    write(text) {
      for (const [, parameters = '', final, osc, plain = ''] of text.matchAll(SEQUENCE)) {
        if (final !== undefined) control(parameters, final);
        else if (osc === undefined)
          for (const grapheme of graphemesOf(plain.replaceAll('\r\n', '\r\u2028'))) {
            if (grapheme === '\r') column = 0;
            else if (grapheme === '\u2028' || grapheme === '\n') feed();
            else if (grapheme !== '\x07') put(grapheme);
          }
      }
    },
    text: () => lines.map((line) => line.map(({ text }) => text).join('')).join('\n'),
    picture: () => ({ rows: lines.map((line) => [...line]), cursor: { row, column } }),
  };
}

/** Select Graphic Rendition, ECMA-48 8.3.117, with 256 and true colours. */
function applyStyle(before: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number);
  let style = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [color, used] = readExtendedColor(codes.slice(at + 1));
      style = { ...style, [code === 38 ? 'color' : 'background']: color };
      at += used;
    } else style = { ...style, ...changeOf(code) };
  }
  return style;
}

function changeOf(code: number): Partial<Style> {
  if (code === 0) return PLAIN;
  if (code === 1) return { bold: true };
  if (code === 2) return { dim: true };
  if (code === 3) return { italic: true };
  if (code === 4) return { underlined: true };
  if (code === 7) return { inverse: true };
  if (code === 22) return { bold: false, dim: false };
  if (code === 23) return { italic: false };
  if (code === 24) return { underlined: false };
  if (code === 27) return { inverse: false };
  if (code >= 30 && code <= 37) return { color: COLORS[code - 30] ?? null };
  if (code === 39) return { color: null };
  if (code >= 40 && code <= 47) return { background: COLORS[code - 40] ?? null };
  if (code === 49) return { background: null };
  if (code >= 90 && code <= 97) return { color: BRIGHT[code - 90] ?? null };
  if (code >= 100 && code <= 107) return { background: BRIGHT[code - 100] ?? null };
  return {};
}

function readExtendedColor([kind, ...rest]: readonly number[]): readonly [color: string, used: number] {
  const hex = (red: number, green: number, blue: number): string =>
    `#${[red, green, blue].map((each) => each.toString(16).padStart(2, '0')).join('')}`;
  if (kind === 2) return [hex(rest[0] ?? 0, rest[1] ?? 0, rest[2] ?? 0), 4];
  const number = rest[0] ?? 0;
  if (number < 16) return [[...COLORS, ...BRIGHT][number] ?? '#ffffff', 2];
  if (number >= 232) return [hex(8 + (number - 232) * 10, 8 + (number - 232) * 10, 8 + (number - 232) * 10), 2];
  const [red, green, blue] = [Math.floor((number - 16) / 36), Math.floor((number - 16) / 6) % 6, (number - 16) % 6];
  return [hex(LEVELS[red] ?? 0, LEVELS[green] ?? 0, LEVELS[blue] ?? 0), 2];
}
