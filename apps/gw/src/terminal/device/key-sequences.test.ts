import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyDecoder, type InputEvent, keyOfCsi, keyOfSs3, wordOf } from './keys.ts';

const word = (event: InputEvent | null): string | null =>
  event === null
    ? null
    : event.type === 'key'
      ? wordOf(event)
      : event.type === 'text'
        ? `text ${event.text}`
        : event.type;

describe('a key with modifiers', () => {
  const HELD = ['', 'shift', 'alt', 'alt+shift', 'ctrl', 'ctrl+shift', 'ctrl+alt', 'ctrl+alt+shift'] as const;
  const KEYS = [
    ['1', 'A', 'up'],
    ['1', 'B', 'down'],
    ['1', 'C', 'right'],
    ['1', 'D', 'left'],
    ['1', 'H', 'home'],
    ['1', 'F', 'end'],
    ['3', '~', 'delete'],
    ['5', '~', 'pageup'],
    ['6', '~', 'pagedown'],
    ['13', 'u', 'enter'],
    ['127', 'u', 'backspace'],
    ['9', 'u', 'tab'],
  ] as const;

  it.each(HELD.map((held, at) => [held, at] as const))('is read with %j held', (held, at) => {
    for (const [first, final, name] of KEYS) {
      const expected = [...held.split('+').filter(Boolean), name].join('+');
      expect(word(keyOfCsi(`${first};${at + 1}`, final))).toBe(expected);
      // What the kitty protocol adds: the event of a key that is pressed or repeated.
      expect(word(keyOfCsi(`${first};${at + 1}:1`, final))).toBe(expected);
      expect(word(keyOfCsi(`${first};${at + 1}:2`, final))).toBe(expected);
      expect(keyOfCsi(`${first};${at + 1}:3`, final)).toBeNull();
    }
  });

  it.each([
    ['97', 'text a'],
    ['97;2', 'text A'],
    ['97;5', 'ctrl+a'],
    ['65;6', 'ctrl+shift+a'],
    ['233', 'text é'],
    ['128512', 'text 😀'],
    ['97;1:1;97', 'text a'],
    ['97:65;2', 'text A'],
    ['57414', 'enter'],
    ['57358', null],
    ['55296', null],
    ['1114112', null],
    ['0', null],
    ['', null],
  ])('a code of the kitty protocol: %s is %s', (parameters, expected) => {
    expect(word(keyOfCsi(parameters, 'u'))).toBe(expected);
  });

  it.each(['', '0', 'x', '-1', '1.5', '99999999999999999999'])(
    'a modifier that makes no sense, %j, holds nothing',
    (held) => {
      expect(word(keyOfCsi(`1;${held}`, 'P'))).toBeNull();
      expect(keyOfCsi(`3;${held}`, '~')).toMatchObject({ name: 'delete' });
    },
  );
});

it.each([
  ['M', 'enter'],
  ['A', 'up'],
  ['F', 'end'],
  ['P', null],
])('the keypad in application mode: %s is %s', (final, expected) => {
  expect(word(keyOfSs3(final))).toBe(expected);
});

/** What a decoder makes of pieces; texts that follow each other are one. */
function decoded(pieces: readonly string[]): readonly string[] {
  const decoder = createKeyDecoder();
  const events = [...pieces.flatMap((piece) => decoder.feed(piece)), ...decoder.flush()];
  const words: string[] = [];
  for (const event of events) {
    const one = event.type === 'paste' ? `paste ${event.text}` : (word(event) ?? '');
    if (one.startsWith('text ') && words.at(-1)?.startsWith('text ') === true)
      words.push(`${words.pop()}${one.slice(5)}`);
    else words.push(one);
  }
  return words;
}

describe('input that is cut', () => {
  const CASES: readonly (readonly [string, readonly string[]])[] = [
    ['a\x1b[1;5Cb', ['text a', 'ctrl+right', 'text b']],
    ['\x1bOA\x1bOMx', ['up', 'enter', 'text x']],
    ['\x1b[27;2;13~', ['shift+enter']],
    ['\x1b[97:65;2:1u', ['text A']],
    ['\x1b[I\x1b[O', ['focus', 'focus']],
    ['\x1b\r\x1bx', ['alt+enter', 'alt+x']],
    ['\x1b[200~a\x1b[1mb\r\nc\x1b[201~d', ['paste ab\nc', 'text d']],
    ['\x1b[200~\x1b[201~', ['paste ']],
    ['\x1b[200~one\x1b[201~\x1b[200~two\x1b[201~', ['paste one', 'paste two']],
    // Answers that the terminal gives unasked: none of it may become text of the message.
    ['a\x1b]11;rgb:ffff/ffff/ffff\x07b', ['text ab']],
    ['a\x1b]11;rgb:ffff/ffff/ffff\x1b\\b', ['text ab']],
    ['a\x1bP1+r544e=787465726d\x1b\\b', ['text ab']],
    ['a\x1b_Gi=31;OK\x1b\\b', ['text ab']],
    ['a\x1b[?62;1;4cb', ['text ab']],
    ['a\x1b[12;40Rb', ['text ab']],
    ['a\x1b[<0;10;20Mb', ['text ab']],
  ];
  it.each(CASES)('%j means the same, wherever it is cut in two', (input, expected) => {
    expect(decoded([input])).toEqual(expected);
    for (let at = 1; at < input.length; at += 1)
      expect([at, decoded([input.slice(0, at), input.slice(at)])]).toEqual([at, expected]);
    expect(decoded(input.split(''))).toEqual(expected);
  });

  it('loses no letter of a text between sequences, however they are cut', () => {
    const part = fc.oneof(fc.constantFrom(...CASES.map(([input]) => input)), fc.stringMatching(/^[a-zé日]{1,9}$/));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.array(fc.nat(9), { minLength: 1 }), (parts, sizes) => {
        const input = parts.join('');
        const pieces: string[] = [];
        for (let at = 0, turn = 0; at < input.length; turn += 1) {
          const size = (sizes[turn % sizes.length] ?? 0) + 1;
          pieces.push(input.slice(at, at + size));
          at += size;
        }
        expect(decoded(pieces)).toEqual(decoded([input]));
      }),
    );
  });
});
