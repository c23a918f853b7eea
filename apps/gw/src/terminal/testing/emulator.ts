/* oxlint-disable no-control-regex -- terminals send and read them */
import { graphemesOf, graphemeWidth } from '../text/line.ts';

/** What a person sees in a terminal: the screen, and what was scrolled away. */
export interface Emulator {
  write(text: string): void;
  screen(): string;
  /** The scrollback and the screen. */
  all(): string;
  cursor(): { readonly row: number; readonly column: number };
  /** Wraps again what is there, as terminals do, and keeps the row of the cursor in sight. */
  resize(columns: number, rows: number): void;
  /** How often something that was shown was erased with the whole screen. */
  readonly clears: number;
}

/** A terminal of the size given, for tests: cursor movement, erasing, wrapping and scrolling. Styles are dropped. */
export function createEmulator(width: number, height: number): Emulator {
  let [columns, rows] = [width, height];
  let gone: Cells[] = [];
  let lines: Cells[] = Array.from({ length: rows }, () => ({ cells: [], continues: false }));
  let [row, column, clears] = [0, 0, 0];
  /** The screen behind that of a program which uses the whole window. */
  let behind: { readonly lines: Cells[]; readonly row: number; readonly column: number } | null = null;

  const cellsAt = (at: number): string[] => lines[at]?.cells ?? [];
  const feed = (): void => {
    if (row < rows - 1) row += 1;
    else {
      gone.push(...lines.splice(0, 1));
      lines.push({ cells: [], continues: false });
    }
  };
  const put = (grapheme: string): void => {
    const width = graphemeWidth(grapheme);
    if (column + width > columns) {
      column = 0;
      feed();
      lines[row] = { cells: [], continues: true };
    }
    const line = cellsAt(row);
    while (line.length < column) line.push(' ');
    line[column] = grapheme;
    if (width === 2) line[column + 1] = '';
    column += width;
  };
  const control = (parameters: string, final: string): void => {
    const number = Number(parameters.split(';')[0]) || 0;
    const line = cellsAt(row);
    if (final === 'A') row = Math.max(0, row - Math.max(1, number));
    else if (final === 'B') row = Math.min(rows - 1, row + Math.max(1, number));
    else if (final === 'G') column = number - 1;
    else if (final === 'K') line.length = Math.min(line.length, column);
    else if (final === 'J') {
      if (row === 0 && column === 0 && lines.some((each) => rowText(each) !== '')) clears += 1;
      line.length = Math.min(line.length, column);
      for (let below = row + 1; below < rows; below += 1) lines[below] = { cells: [], continues: false };
    } else if (final === 'H') [row, column] = [0, 0];
    else if (parameters === '?1049' && final === 'h') {
      behind = { lines, row, column };
      lines = Array.from({ length: rows }, () => ({ cells: [], continues: false }));
    } else if (parameters === '?1049' && behind !== null) {
      ({ lines, row, column } = behind);
      behind = null;
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
    screen: () => lines.map(rowText).join('\n').trimEnd(),
    all: () => [...gone, ...lines].map(rowText).join('\n').trimEnd(),
    cursor: () => ({ row, column }),
    resize(nextColumns, nextRows) {
      const all = [...gone, ...lines];
      const last = Math.max(
        gone.length + row,
        all.findLastIndex((each) => rowText(each) !== ''),
      );
      const wrapped: Cells[] = [];
      let place = 0;
      for (let at = 0; at <= last; ) {
        const whole: string[] = [];
        let offset = -1;
        do {
          if (at === gone.length + row) offset = whole.length + column;
          whole.push(...cellsOf(all[at], columns, all[at + 1]?.continues === true));
          at += 1;
        } while (at <= last && all[at]?.continues === true);
        const begin = wrapped.length;
        for (let from = 0; from === 0 || from < whole.length; from += nextColumns)
          wrapped.push({ cells: whole.slice(from, from + nextColumns), continues: from > 0 });
        if (offset >= 0) [place, column] = [begin + Math.floor(offset / nextColumns), offset % nextColumns];
      }
      while (wrapped.length <= place) wrapped.push({ cells: [], continues: false });
      [columns, rows] = [nextColumns, nextRows];
      const top = Math.max(0, wrapped.length - rows);
      gone = wrapped.slice(0, top);
      lines = wrapped.slice(top);
      while (lines.length < rows) lines.push({ cells: [], continues: false });
      row = Math.max(0, place - top);
    },
    get clears() {
      return clears;
    },
  };
}

/** A row of the window. */
interface Cells {
  readonly cells: string[];
  /** The row before it was full: both are one line. */
  readonly continues: boolean;
}

function rowText({ cells }: Cells): string {
  return cells.join('').trimEnd();
}

/** The cells of a row; of one that goes on in the next, all of its columns. */
function cellsOf(line: Cells | undefined, columns: number, full: boolean): string[] {
  const cells = line?.cells ?? [];
  return full ? Array.from({ length: columns }, (_, at) => cells[at] ?? ' ') : cells;
}
