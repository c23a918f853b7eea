/* oxlint-disable no-control-regex -- terminals send and read them */
import { graphemesOf, graphemeWidth } from '../text/width.ts';

/** What a person sees in a terminal: the screen, and what was scrolled away. */
export interface Emulator {
  write(text: string): void;
  screen(): string;
  /** The scrollback and the screen. */
  all(): string;
  cursor(): { readonly row: number; readonly column: number };
  /** How often something that was shown was erased with the whole screen. */
  readonly clears: number;
}

/** A terminal of the size given, for tests: cursor movement, erasing, wrapping and scrolling. Styles are dropped. */
export function createEmulator(columns: number, rows: number): Emulator {
  const gone: string[] = [];
  let lines: string[][] = Array.from({ length: rows }, () => []);
  let [row, column, clears] = [0, 0, 0];

  const feed = (): void => {
    if (row < rows - 1) row += 1;
    else {
      gone.push(textOf(lines.shift() ?? []));
      lines.push([]);
    }
  };
  const put = (grapheme: string): void => {
    const width = graphemeWidth(grapheme);
    if (column + width > columns) {
      column = 0;
      feed();
    }
    const line = lines[row] ?? [];
    while (line.length < column) line.push(' ');
    line[column] = grapheme;
    if (width === 2) line[column + 1] = '';
    column += width;
  };
  const control = (parameters: string, final: string): void => {
    const number = Number(parameters.split(';')[0]) || 0;
    const line = lines[row] ?? [];
    if (final === 'A') row = Math.max(0, row - Math.max(1, number));
    else if (final === 'B') row = Math.min(rows - 1, row + Math.max(1, number));
    else if (final === 'G') column = number - 1;
    else if (final === 'K') line.length = Math.min(line.length, column);
    else if (final === 'J') {
      if (row === 0 && column === 0 && lines.some((each) => textOf(each) !== '')) clears += 1;
      line.length = Math.min(line.length, column);
      for (let below = row + 1; below < rows; below += 1) lines[below] = [];
    } else if (!/[mhlu]/.test(final)) throw new Error(`The emulator knows no CSI ${parameters}${final}.`);
  };
  return {
    write(text) {
      for (const [, parameters = '', final, osc, plain = ''] of text.matchAll(
        /\x1b\[([\d;?<=>]*)([A-Za-z])|(\x1b\][^\x07]*\x07)|([^\x1b]+)/g,
      )) {
        if (final !== undefined) control(parameters, final);
        else if (osc === undefined)
          for (const grapheme of graphemesOf(plain.replaceAll('\r\n', '\r\u2028'))) {
            if (grapheme === '\r') column = 0;
            else if (grapheme === '\u2028' || grapheme === '\n') feed();
            else if (grapheme !== '\x07') put(grapheme);
          }
      }
    },
    screen: () => lines.map(textOf).join('\n').trimEnd(),
    all: () => [...gone, ...lines.map(textOf)].join('\n').trimEnd(),
    cursor: () => ({ row, column }),
    get clears() {
      return clears;
    },
  };
}

function textOf(line: readonly string[]): string {
  return line.join('').trimEnd();
}
