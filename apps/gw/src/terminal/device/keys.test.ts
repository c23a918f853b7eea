import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKeyDecoder, type InputEvent, wordOf } from './keys.ts';

/** The events as words; neighbouring texts are one. */
function decoded(...pieces: string[]): string[] {
  const decoder = createKeyDecoder();
  const events = [...pieces.flatMap((piece) => decoder.feed(piece)), ...decoder.flush()];
  return words(events);
}
function words(events: readonly InputEvent[]): string[] {
  const out: string[] = [];
  let text = '';
  for (const event of [...events, null]) {
    if (event?.type === 'text') {
      text += event.text;
      continue;
    }
    if (text !== '') out.push(`“${text}”`);
    text = '';
    if (event?.type === 'key') out.push(wordOf(event));
    else if (event?.type === 'paste') out.push(`paste ${event.text}`);
    else if (event?.type === 'focus') out.push(event.focused ? 'focus' : 'blur');
  }
  return out;
}

const SEQUENCES: readonly (readonly [string, string])[] = [
  ['\r', 'enter'],
  ['\n', 'shift+enter'],
  ['\t', 'tab'],
  ['\x7f', 'backspace'],
  ['\x08', 'backspace'],
  ['\x01', 'ctrl+a'],
  ['\x1f', 'ctrl+_'],
  ['\x1b[A', 'up'],
  ['\x1bOA', 'up'],
  ['\x1b[1;5C', 'ctrl+right'],
  ['\x1b[1;3D', 'alt+left'],
  ['\x1b[H', 'home'],
  ['\x1b[4~', 'end'],
  ['\x1b[3~', 'delete'],
  ['\x1b[Z', 'shift+tab'],
  ['\x1b[9;2u', 'shift+tab'],
  ['\x1b[13;2u', 'shift+enter'],
  ['\x1b[27;2;13~', 'shift+enter'],
  ['\x1b\r', 'alt+enter'],
  ['\x1b[99;5u', 'ctrl+c'],
  ['\x1b[27u', 'escape'],
  ['\x1bb', 'alt+b'],
  ['\x1b\x7f', 'alt+backspace'],
  ['\x1b[I', 'focus'],
  ['\x1b[O', 'blur'],
  ['\x1b[200~two\rlines\x1b[201~', 'paste two\nlines'],
];

test.each(SEQUENCES)('%j is %s', (sequence, word) => {
  expect(decoded(sequence)).toEqual([word]);
});

test('answers of the terminal and keys that are let go are no keys', () => {
  expect(decoded('\x1b[?1;2c\x1b]11;rgb:00/00/00\x07\x1b[97;1:3u')).toEqual([]);
});

test('a lone Escape waits for what may follow it', () => {
  const decoder = createKeyDecoder();
  expect(decoder.feed('\x1b')).toEqual([]);
  expect(decoder.waiting).toBe(true);
  expect(words(decoder.flush())).toEqual(['escape']);
  expect(words([...decoder.feed('\x1b\x1b'), ...decoder.flush()])).toEqual(['escape', 'escape']);
});

test('a paste keeps everything but control characters, also what looks like keys', () => {
  expect(decoded('\x1b[200~a\x03b\x1b[31mc\td\x1b[2', '01~')).toEqual(['paste abc\td']);
});

test('wherever the input is cut, it means the same', () => {
  const piece = fc.oneof(
    fc.constantFrom(...SEQUENCES.map(([sequence]) => sequence)),
    fc.constantFrom('a', 'words', 'é', '日本', '👩‍👩‍👧'),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 7 }), (pieces, size) => {
      const input = pieces.join('');
      const cut = input.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      expect(decoded(...cut)).toEqual(decoded(input));
    }),
  );
});

test('anything at all is decoded without a fault, and ends', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (pieces) => {
      expect(decoded(...pieces)).toBeInstanceOf(Array);
    }),
  );
});
