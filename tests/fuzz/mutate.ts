import type { Random } from '../support/random.ts';

/** Pieces that parsers of many kinds stumble over. */
const BLANKS = ['\0', '\r\n', '\r\n\r\n', '\n', '\r', '\t', ' ', '\ufeff', '\u2028', 'é', '😀', '\xff\xfe'];
const MARKS = '" \\ \\u0000 \\ud800 { } [ ] , : %00 %2e%2e/ .. / // ? # * \' ; -- = .'.split(' ');
const NAMES = '__proto__ constructor null true NaN -0 1e999 9007199254740993 -1 0 +3 0x10'.split(' ');
const PIECES: readonly string[] = [...BLANKS, ...MARKS, ...NAMES];
const BYTES = [0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2e, 0x2f, 0x5c, 0x7b, 0x7d, 0x7f, 0x80, 0xc0, 0xed, 0xff];
const LONGEST = 64 * 1024;

const spliced = (bytes: Buffer, at: number, count: number, more: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at + count)]);

/** Changes bytes in one of several ways. */
function changedOnce(bytes: Buffer, random: Random, words: readonly string[], others: readonly Buffer[]): Buffer {
  const at = random.below(bytes.length + 1);
  const length = Math.min(bytes.length - at, 1 + random.below(random.below(4) === 0 ? 200 : 8));
  const some = bytes.subarray(at, at + length);
  switch (random.below(10)) {
    case 0:
      return spliced(bytes, at, 1, Buffer.of((bytes[at] ?? 0) ^ (1 << random.below(8))));
    case 1:
      return spliced(bytes, at, 1, Buffer.of(random.pick(BYTES)));
    case 2:
      return spliced(bytes, at, length, Buffer.alloc(0));
    case 3:
      return spliced(bytes, at, 0, some);
    case 4:
    case 5:
      return spliced(bytes, at, random.below(2) * length, Buffer.from(random.pick([...PIECES, ...words])));
    case 6:
      return spliced(
        bytes,
        at,
        0,
        Buffer.alloc(1 + random.below(random.below(20) === 0 ? 20_000 : 60), some[0] ?? 0x41),
      );
    case 7:
      return bytes.subarray(0, at);
    case 8: {
      const other = random.pick(others);
      return Buffer.concat([bytes.subarray(0, at), other.subarray(random.below(other.length + 1))]);
    }
    default: {
      const to = random.below(bytes.length + 1);
      return spliced(spliced(bytes, at, length, Buffer.alloc(0)), Math.min(to, bytes.length - length), 0, some);
    }
  }
}

/**
 * Takes one of the inputs and changes it, up to six times. One in twenty is not changed.
 * @param words that the format under test knows
 */
export function mutated(inputs: readonly Buffer[], random: Random, words: readonly string[] = []): Buffer {
  let bytes = random.pick(inputs);
  if (random.below(20) === 0) return bytes;
  for (let changes = 1 + random.below(6); changes > 0; changes -= 1) bytes = changedOnce(bytes, random, words, inputs);
  return bytes.subarray(0, LONGEST);
}

/** Values of JSON that readers stumble over. */
const LITERALS = [null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, '', 'x', '\0', '\ud800', 'x'.repeat(10_000), [], {}];
const VALUES: readonly unknown[] = [
  ...LITERALS,
  [[[[[[]]]]]],
  { toString: 1, valueOf: null },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
];

/** Changes a JSON value at one path: another value, a member less, a member more, a member of another name. */
export function mutatedJson(value: unknown, random: Random): unknown {
  const inner = typeof value === 'object' && value !== null && random.below(5) > 0;
  if (!inner) return random.pick(VALUES);
  if (Array.isArray(value)) {
    const list = [...(value as unknown[])];
    if (list.length === 0 || random.below(5) === 0) return [...list, random.pick(VALUES), ...list];
    const at = random.below(list.length);
    list[at] = mutatedJson(list[at], random);
    return list;
  }
  const members = Object.entries(value);
  if (members.length === 0 || random.below(8) === 0) {
    members.push([random.pick(['__proto__', 'constructor', 'x', '', 'id', 'model']), random.pick(VALUES)]);
  } else {
    const at = random.below(members.length);
    const [name, of] = members[at] as [string, unknown];
    if (random.below(6) === 0) members.splice(at, 1);
    else if (random.below(8) === 0) members[at] = [`${name}\u0000`, of];
    else members[at] = [name, mutatedJson(of, random)];
  }
  // Defined one by one: `__proto__` must be an ordinary member.
  const changed = {};
  for (const [name, of] of members) {
    Object.defineProperty(changed, name, { value: of, enumerable: true, configurable: true, writable: true });
  }
  return changed;
}
