import type { Device, Timers } from '../device/ports.ts';
import { encode } from '../text/encode.ts';
import { type Line, lineWidth } from '../text/line.ts';
import { type Cursor, eraseAfterResize, NOTHING_SHOWN, paint, type Row, type Shown } from './paint.ts';

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
