import { encode, type Line, lineWidth } from '../text/line.ts';
import type { Device, Timers } from './ports.ts';

/** The live part as lines that fit the window. */
export interface LiveView {
  readonly lines: readonly Line[];
  readonly cursor: Cursor | null;
  /** It takes the whole window; what was there comes back afterwards. */
  readonly isWhole?: boolean;
}
export interface Screen {
  /** Lines for the scrollback. They are written with the next drawing and never again. */
  print(lines: readonly Line[]): void;
  /** Draws soon: what comes within a moment is drawn together. */
  refresh(): void;
  /** Draws now. */
  draw(): void;
  /** Something of the terminal's own: a title, a notification. */
  control(sequence: string): void;
  resized(): void;
  /** Clears the live part and leaves the cursor there. Nothing is written until it is opened again. */
  close(): void;
  /** Writes what was printed meanwhile, and the live part. */
  reopen(): void;
}

/** The window as of a pager: what was shown before stays behind it. */
const ENTER_WHOLE = '\x1b[?1049h\x1b[H\x1b[J';
const LEAVE_WHOLE = '\x1b[H\x1b[J\x1b[?1049l';

/** Some 30 drawings a second are all that an eye sees. */
const INTERVAL_MS = 30;

/** Writes what `view` gives for the live part, and what was printed above it. */
export function createScreen(device: Device, timers: Timers, view: () => LiveView): Screen {
  let shown: Shown = NOTHING_SHOWN;
  let { columns, rows } = device.size();
  let printed: Row[] = [];
  let cancel: (() => void) | null = null;
  let closed = false;
  /** What the live part shows behind a view of the whole window. */
  let behind: Shown | null = null;
  const rowOf = (spans: Line): Row => ({ text: encode(spans, device.palette), width: lineWidth(spans) });

  const write = (live: LiveView): void => {
    if (device.isDumb === true) {
      writePlain(live);
      return;
    }
    cancel?.();
    cancel = null;
    const isWhole = live.isWhole === true;
    if (isWhole !== (behind !== null)) turn(isWhole);
    // What is printed meanwhile belongs behind it.
    const finished = isWhole ? [] : printed;
    if (!isWhole) printed = [];
    const [output, next] = paint(shown, finished, { rows: live.lines.map(rowOf), cursor: live.cursor }, columns);
    shown = next;
    if (output !== '') device.write(output);
  };
  const turn = (toWhole: boolean): void => {
    device.write(toWhole ? ENTER_WHOLE : `${LEAVE_WHOLE}${behind === null ? '' : eraseAfterResize(behind, columns)}`);
    behind = toWhole ? shown : null;
    shown = NOTHING_SHOWN;
  };
  /** Without any escape: only the row of the cursor is rewritten, after a carriage return. */
  let plainWidth = 0;
  const writePlain = (live: LiveView): void => {
    cancel?.();
    cancel = null;
    const finished = printed.splice(0);
    const last = live.lines.at(-1);
    const row = last === undefined ? { text: '', width: 0 } : rowOf(last);
    if (finished.length === 0 && shown.frame.rows[0]?.text === row.text) return;
    const clear = plainWidth === 0 ? '' : `\r${' '.repeat(plainWidth)}\r`;
    device.write(`${clear}${finished.map(({ text }) => `${text}\r\n`).join('')}${row.text}`);
    plainWidth = row.width;
    shown = { frame: { rows: [row], cursor: null }, at: 0 };
  };
  return {
    print(lines) {
      for (const each of lines) printed.push(rowOf(each)); // too many for the arguments of one call
      this.refresh();
    },
    refresh() {
      if (!closed) cancel ??= timers.after(INTERVAL_MS, () => write(view()));
    },
    draw() {
      if (!closed) write(view());
    },
    control: (sequence) => device.write(sequence),
    resized() {
      const before = { columns, rows };
      ({ columns, rows } = device.size());
      // Of a lower window, the beginning of the live part may be out of reach: nothing may be taken as still shown.
      if (device.isDumb !== true && (before.columns !== columns || before.rows !== rows) && shown !== NOTHING_SHOWN) {
        device.write(behind === null ? eraseAfterResize(shown, columns) : '\x1b[H\x1b[J');
        shown = NOTHING_SHOWN;
      }
      this.draw();
    },
    close() {
      if (closed) return;
      write({ lines: [], cursor: { row: 0, column: 0 } });
      closed = true;
    },
    reopen() {
      closed = false;
      this.resized();
    },
  };
}

/** A row in its written form: encoded, with its width in columns. It never reaches the last column of the window. */
export interface Row {
  readonly text: string;
  readonly width: number;
}
export interface Cursor {
  /** From the first row of the frame, from zero. */
  readonly row: number;
  readonly column: number;
}
/** The live part: what is redrawn. Everything above it belongs to the scrollback and is never touched again. */
export interface Frame {
  readonly rows: readonly Row[];
  /** Null hides the cursor. */
  readonly cursor: Cursor | null;
}
/** What is on the screen, and in which of its rows the cursor is. */
interface Shown {
  readonly frame: Frame;
  readonly at: number;
}
export const NOTHING_SHOWN: Shown = { frame: { rows: [], cursor: null }, at: 0 };

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
const HIDE = '\x1b[?25l';
const SHOW = '\x1b[?25h';
const ERASE_ROW = '\x1b[K';
const ERASE_BELOW = '\x1b[J';

/**
 * What to write so that `finished` goes to the scrollback above the live part and the live part becomes `next`. Rows
 * that did not change are not written, and of a row that only grew, only its new end is.
 */
export function paint(shown: Shown, finished: readonly Row[], next: Frame, columns: number): [string, Shown] {
  const before = shown.frame.rows;
  let out = '';
  let at = shown.at;
  const goTo = (row: number): void => {
    if (row < at) out += `\x1b[${at - row}A`;
    else if (row > at) out += `\x1b[${row - at}B`;
    at = row;
  };
  if (finished.length > 0) {
    goTo(0);
    out += '\r';
    // A row that the terminal wraps may leave the last column of the window as it was: what was there goes first.
    if (finished.some(({ width }) => width > columns) && before.length > 0) {
      out += before.map(() => ERASE_ROW).join('\x1b[B');
      if (before.length > 1) out += `\x1b[${before.length - 1}A`;
    }
    // Behind a row that fills the window there is nothing to erase, and the erasure would hit its last character.
    for (const { text, width } of finished) out += `${text}${width < columns ? ERASE_ROW : ''}\r\n`;
    out += next.rows.map(({ text }) => text + ERASE_ROW).join('\r\n');
    if (before.length > 0) out += ERASE_BELOW;
    at = Math.max(0, next.rows.length - 1);
  } else {
    for (const [index, row] of next.rows.entries()) {
      const old = before[index];
      if (old?.text === row.text) continue;
      if (index > 0 && index >= before.length) {
        goTo(index - 1);
        out += `\r\n${row.text}`;
        at = index;
        continue;
      }
      goTo(index);
      if (old !== undefined && old.width > 0 && row.text.startsWith(old.text))
        out += `\x1b[${old.width + 1}G${row.text.slice(old.text.length)}`;
      else out += `\r${row.text}${old === undefined || old.width <= row.width ? '' : ERASE_ROW}`;
    }
    if (next.rows.length < before.length) {
      goTo(next.rows.length);
      out += `\r${ERASE_BELOW}`;
    }
  }
  const drawn = out !== '';
  const { cursor } = next;
  const moved = shown.frame.cursor?.row !== cursor?.row || shown.frame.cursor?.column !== cursor?.column;
  if (cursor !== null && (drawn || moved)) {
    goTo(cursor.row);
    out += `\x1b[${cursor.column + 1}G`;
  }
  if (out === '' && (cursor === null) === (shown.frame.cursor === null)) return ['', shown];
  const visible = cursor === null ? HIDE : shown.frame.cursor === null || drawn ? SHOW : '';
  return [drawn ? `${BEGIN}${HIDE}${out}${visible}${END}` : out + visible, { frame: next, at }];
}

/**
 * What to write before the live part is drawn again in a window of another width. Terminals wrap rows that no longer
 * fit, so that the live part begins higher than it did.
 */
export function eraseAfterResize({ frame, at }: Shown, columns: number): string {
  const above = frame.rows.slice(0, at).reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / columns)), 0);
  const within = Math.floor((frame.cursor?.column ?? 0) / columns);
  const up = above + within;
  return `${up > 0 ? `\x1b[${up}A` : ''}\r${ERASE_BELOW}`;
}
