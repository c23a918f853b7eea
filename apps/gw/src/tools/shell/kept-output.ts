import { COMMAND_CHARACTERS } from '../definition/limits.ts';

const HEAD = Math.floor(COMMAND_CHARACTERS / 3);
const TAIL = COMMAND_CHARACTERS - HEAD;

/** The beginning and the end of an output, in bounded memory. */
export interface KeptOutput {
  add(text: string): void;
  /** The output since the last call, or all of it; omissions are marked. */
  take(): string;
}

export function createKeptOutput(): KeptOutput {
  let head = '';
  let tail = '';
  let left = 0;
  return {
    add(text) {
      const room = HEAD - head.length;
      head += text.slice(0, Math.max(0, room));
      tail += text.slice(Math.max(0, room));
      if (tail.length > 2 * TAIL) drop();
    },
    take() {
      if (tail.length > TAIL) drop();
      const cut =
        left === 0
          ? ''
          : `\n[${left} characters were left out here: run it again and filter with grep, head or tail, or write the output to a file and Read it]\n`;
      const text = wellFormed(head + cut + tail);
      head = '';
      tail = '';
      left = 0;
      return text;
    },
  };

  function drop(): void {
    left += tail.length - TAIL;
    tail = tail.slice(-TAIL);
  }
}

/** Without colours and other control sequences, and without halves of characters. */
function wellFormed(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g, '').toWellFormed();
}
