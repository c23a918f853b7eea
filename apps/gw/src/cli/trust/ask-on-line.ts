import type { Terminal } from '../../process/context.ts';
import { explicitText } from '../../terminal/text/safe.ts';
import { nameOf } from '../../trust/open.ts';
import type { AskPerson } from '../../trust/types.ts';

/**
 * Asks on a line of the terminal, for commands that draw no screen. Anything but a yes is a no.
 * @param isShown what is asked about was printed already
 */
export function askOnLine(terminal: Terminal, { isShown }: { readonly isShown: boolean }): AskPerson {
  return async (request) => {
    if (!isShown) {
      const rows = request.shown.map(([label, value]) => `  ${label}: ${value.replaceAll('\n', ' ⏎ ')}`);
      terminal.report(`${explicitText([`${request.place} adds:`, ...rows].join('\n'))}\n`);
    }
    const question = `Agree to ${explicitText(nameOf(request)).replaceAll('\n', ' ')} of this project? [y/N] `;
    const answer = (await terminal.ask(question))?.trim() ?? '';
    return /^(?:y|yes)$/i.test(answer) ? 'yes' : 'no';
  };
}
