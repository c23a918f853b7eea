import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { readHidden } from './hidden-input.ts';

/** What is read of these chunks, and the state in which the terminal is left. */
async function typed(...chunks: readonly string[]) {
  const modes: boolean[] = [];
  const input = Object.assign(new PassThrough(), { setRawMode: (mode: boolean) => modes.push(mode) });
  const line = readHidden(input as unknown as ReadStream);
  for (const chunk of chunks) input.write(chunk);
  return { line: await line, modes, isPaused: input.isPaused(), listeners: input.listenerCount('data') };
}

describe('a line that the terminal does not show', () => {
  it('leaves the terminal as it was: shown, paused and without a reader', async () => {
    for (const end of ['\r', '\u0003', '\u0004']) {
      expect(await typed('ab', end)).toMatchObject({ modes: [true, false], isPaused: true, listeners: 0 });
    }
  });

  it.each([
    ['is whole, however the terminal cuts it', ['g', 'wk', '_1', '2\r'], 'gwk_12'],
    ['ends at the first line end', ['one\rtwo\r'], 'one'],
    ['may be empty', ['\n'], ''],
    ['loses its last character with each press of backspace', ['abc\u007f\bd\r'], 'ad'],
    ['cannot lose more than it has', ['a\u007f\u007f\u007fb\r'], 'b'],
    ['keeps no control characters', ['a\u0000\u0007\tb\u001bc\r'], 'abc'],
    ['keeps no presses of arrows and function keys', ['a\u001b[Ab\u001b[1;5Cc\u001b[3~\r'], 'abc'],
    ['keeps what was pasted, without the brackets', ['\u001b[200~pasted\u001b[201~\r'], 'pasted'],
    [
      'keeps what was pasted where the terminal cuts the brackets',
      ['\u001b[20', '0~pasted\u001b', '[201~\r'],
      'pasted',
    ],
    ['may have any letters', ['pässwörd 漢\r'], 'pässwörd 漢'],
  ])('%s', async (_, chunks, expected) => {
    expect((await typed(...chunks)).line).toBe(expected);
  });

  it.each([
    ['\u0003', 'interrupts'],
    ['\u0004', 'ends the input'],
  ])('is none where the person presses %j, which %s', async (key) => {
    expect((await typed('secret', key, 'more\r')).line).toBeNull();
  });
});
