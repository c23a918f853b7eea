import { createKeptOutput } from '../../tools/shell/kept-output.ts';
import { BLANK, line, span } from '../text/line.ts';
import { safeText } from '../text/safe.ts';
import { type App, columnsOf, hint, paragraphs, print, printText } from './app.ts';
import type { Turns } from './turns.ts';

/** Output of a command is printed in whole lines, at most this often. */
const PRINT_MS = 50;

/** `!command`: the user's own command. The model gets its output with the next message. */
export function runShell(app: App, turns: Turns, command: string): void {
  if (app.state.activity !== null) {
    hint(app, 'Your command waits for the end of the turn. Press Esc first to interrupt it.');
    return;
  }
  if (command === '') return;
  print(app, [[span('$ ', { color: 'magenta', bold: true }), span(safeText(command), { bold: true })]]);
  turns.run('Running', async (signal) => {
    let rest = '';
    const kept = createKeptOutput();
    let cancel: (() => void) | null = null;
    const flush = (all: boolean): void => {
      cancel?.();
      cancel = null;
      const end = all ? rest.length : rest.lastIndexOf('\n') + 1;
      const whole = rest.slice(0, end).replace(/\n$/, '');
      rest = rest.slice(end);
      if (end > 0) app.screen.print(whole === '' ? [BLANK] : paragraphs(whole, columnsOf(app)));
    };
    const { code, continues } = await app.host.shell(
      command,
      (chunk) => {
        rest += chunk;
        kept.add(chunk);
        cancel ??= app.timers.after(PRINT_MS, () => flush(false));
      },
      signal,
    );
    flush(true);
    const how = signal.aborted ? 'interrupted' : `exit code ${code ?? 'unknown'}`;
    app.shellOutput.push(`[I ran this command myself (${how}):]\n$ ${command}\n${kept.take().trimEnd()}\n\n`);
    if (signal.aborted) app.screen.print([line('Interrupted.', { dim: true })]);
    else if (code !== 0)
      app.screen.print([line(`Exit code ${code ?? 'unknown: a signal ended it'}.`, { color: 'red' })]);
    if (continues)
      printText(app, 'A process continues in the background. Its output is no longer shown.', { dim: true });
  });
}
