import type { ReadStream } from 'node:tty';

const INTERRUPT = '\u0003';
const END = '\u0004';
const TERMINAL_SEQUENCE = /\p{Cc}\[[\d;]*[~A-Za-z]/gu;
const BACKSPACE = /[\b\u007f]/;

/**
 * Reads one line that the terminal does not show. Bracketed pastes and other terminal sequences are left out of it.
 * @returns null where the person interrupts or ends the input.
 */
export function readHidden(input: ReadStream): Promise<string | null> {
  return new Promise((resolve) => {
    let typed = '';
    const end = (value: string | null): void => {
      input.off('data', read);
      input.setRawMode(false);
      input.pause();
      resolve(value);
    };
    const read = (chunk: string): void => {
      typed += chunk; // a sequence may come in pieces
      let line = '';
      for (const character of typed.replaceAll(TERMINAL_SEQUENCE, '')) {
        if (character === '\r' || character === '\n') return end(line);
        if (character === INTERRUPT || character === END) return end(null);
        if (BACKSPACE.test(character)) line = line.slice(0, -1);
        else if (character >= ' ') line += character;
      }
    };
    input.setEncoding('utf8');
    input.setRawMode(true);
    input.on('data', read);
    input.resume();
  });
}
