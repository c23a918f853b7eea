import { errorMessage } from '@gateway/contract/error-code';
import type { AgentSession } from '../../agent/types/index.ts';
import type { Device, Host, Timers } from '../device/ports.ts';
import type { Screen } from '../device/screen.ts';
import { BLANK, type Line, line, type Style } from '../text/line.ts';
import { safeText } from '../text/safe.ts';
import { wrapWords } from '../text/wrap.ts';
import type { UiState } from '../view/state.ts';
import type { Libraries } from './libraries.ts';

/** What the parts of the terminal share: the state they change, and the ways out. */
export interface App {
  readonly state: UiState;
  readonly screen: Screen;
  readonly device: Device;
  readonly timers: Timers;
  readonly host: Host;
  readonly libraries: Libraries;
  /** Output of the user's own commands, which goes to the model with the next message. */
  readonly shellOutput: string[];
  /** The conversation that is shown. Throws until the first is open. */
  session(): AgentSession;
  isOpen(): boolean;
  /** Shows another conversation; the one before it is closed. */
  use(session: AgentSession): Promise<void>;
  /** Sends a message; while a turn runs, it gets it with the next results or, `queued`, is followed by it. */
  send(text: string, queued?: boolean): void;
  /** Gives the terminal back to the shell until the program is continued. */
  suspend(): void;
  /** Gives the window and the keyboard to another program for a moment. */
  lend<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Ends the terminal with an exit code. */
  leave(code: number): void;
}

const HINT_MS = 4000;

/** Columns that finished lines are broken to. */
export function columnsOf({ device }: Pick<App, 'device'>): number {
  return Math.max(20, device.size().columns - 1);
}

/** Prints lines with a blank line before them. */
export function print({ screen }: Pick<App, 'screen'>, lines: readonly Line[]): void {
  if (lines.length > 0) screen.print([BLANK, ...lines]);
}

/** Prints a text, broken to the window. */
export function printText(app: Pick<App, 'screen' | 'device'>, text: string, style: Style = {}): void {
  print(app, paragraphs(text, columnsOf(app), style));
}

export function paragraphs(text: string, columns: number, style: Style = {}): Line[] {
  return safeText(text)
    .split('\n')
    .flatMap((each) => wrapWords(line(each, style), columns, { rest: indentationOf(each) }));
}

/** Shows a sentence instead of the status line for a moment. For a screen reader it is printed. */
export function hint(app: App, text: string, ms = HINT_MS): void {
  if (app.device.screenReader) {
    printText(app, text);
    return;
  }
  app.state.hint = text;
  app.screen.refresh();
  app.timers.after(ms, () => {
    if (app.state.hint !== text) return;
    app.state.hint = '';
    app.screen.refresh();
  });
}

/** Rows after the first begin where the text of an indented line or of a table's second column does. */
function indentationOf(text: string): Line {
  const [label = ''] = /^ *(?:\S+(?: \S+)* {2,})?/.exec(text) ?? [];
  return label.length > 0 && label.length < 30 ? line(' '.repeat(label.length)) : BLANK;
}

/** Work in the background: its changes are drawn, its errors reported. */
export function inBackground(app: App, work: () => Promise<unknown>): void {
  work().then(
    () => app.screen.refresh(),
    (error: unknown) => printText(app, `Failed: ${errorMessage(error)}`, { color: 'red' }),
  );
}
