import type { View } from './view.ts';

/** Words that say "this is not the value". Lower case. */
const WORDS = [
  'example',
  'placeholder',
  'redacted',
  'changeme',
  'change_me',
  'change-me',
  'changeit',
  'replace',
  'insert',
  'dummy',
  'sample',
  'your_',
  'your-',
  'yourkey',
  'yourtoken',
  'yoursecret',
  'yourapi',
  'yourpass',
  'youraccess',
  'xxxx',
  '-here',
  '_here',
  'todo_',
  'todo-',
  '_todo',
  '-todo',
  'fixme',
  'notreal',
  'not-real',
  'not_real',
  'foobar',
  'secretkey',
  'mysecret',
  'my-secret',
  'my_secret',
  'supersecret',
  'testtest',
  '...',
  '***',
] as const;

/**
 * Whether a value stands for a secret without being one: it says so in words, repeats one character, or counts up
 * through the alphabet or the digits. Applies to values of known forms as well, since documentation shows those.
 */
export function isPlaceholder(view: View, from: number, to: number): boolean {
  return isMonotonous(view.bytes, from, to) || saysSo(view.text(from, to));
}

export function saysSo(text: string): boolean {
  const lower = text.toLowerCase();
  return WORDS.some((word) => lower.includes(word));
}

/** One byte repeated, too few different bytes, or an ascending row, which no generated value of that length shows. */
export function isMonotonous(bytes: Uint8Array, from: number, to: number): boolean {
  const length = to - from;
  let [same, longestSame, rising, longestRising, risen] = [1, 1, 1, 1, 0];
  let [low, high] = [0, 0];
  let previous = -1;
  for (let at = from; at < to; at++) {
    const byte = fold(bytes[at] as number);
    if (byte < 0x40) low |= 1 << (byte & 31);
    else high |= 1 << (byte & 31);
    same = byte === previous ? same + 1 : 1;
    if (byte === previous + 1 || (previous === 0x39 && (byte === 0x30 || byte === 0x61))) {
      rising++;
      risen++;
    } else rising = 1;
    if (same > longestSame) longestSame = same;
    if (rising > longestRising) longestRising = rising;
    previous = byte;
  }
  const different = bits(low) + bits(high);
  return (
    longestSame >= Math.max(5, length / 6) ||
    longestRising >= 8 ||
    risen * 2 >= length ||
    different < Math.min(4 + length / 8, 8)
  );
}

function fold(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

function bits(flags: number): number {
  let rest = flags;
  let count = 0;
  while (rest !== 0) {
    rest &= rest - 1;
    count++;
  }
  return count;
}
