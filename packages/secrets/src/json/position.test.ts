import { array, assert, constantFrom, nat, property } from 'fast-check';
import { expect, it } from 'vitest';
import { positionsInBody } from './position.ts';

function inBody(body: string, positions: readonly number[]): number[] {
  const places = Float64Array.from(positions);
  for (const _ of positionsInBody(Buffer.from(body, 'latin1'), places));
  return [...places];
}

it.each([
  ['abc', [0, 1, 2, 3], [0, 1, 2, 3]],
  ['a\\nb', [0, 1, 2, 3], [0, 1, 3, 4]],
  ['\\u0041b', [0, 1, 2], [0, 6, 7]],
  ['a\\\\u0041b', [1, 2], [1, 8]],
  ['\\"x\\"', [1, 2, 3], [2, 3, 5]],
  ['', [0, 5], [0, 0]],
  ['ab', [7, 9], [2, 2]],
  ['ab', [], []],
])('positions in what %j reads as are positions in it', (body, decoded, expected) => {
  expect(inBody(body, decoded)).toEqual(expected);
});

it('each position is where its character is written, for any escapes', () => {
  const pieces = [
    ['a', 'a'],
    ['\\n', '\n'],
    ['\\u0042', 'B'],
    ['\\x43', 'C'],
    ['\\/', '/'],
    ['é', 'é'],
  ] as const;
  assert(
    property(array(constantFrom(...pieces), { minLength: 1, maxLength: 30 }), nat(), nat(), (parts, one, other) => {
      const written = parts.map(([piece]) => piece);
      const asked = [one % parts.length, other % parts.length].sort((first, second) => first - second);
      expect(inBody(written.join(''), asked)).toEqual(asked.map((at) => written.slice(0, at).join('').length));
    }),
    { numRuns: 500 },
  );
});

it('a large body is read in slices, with the same result', () => {
  const body = Buffer.from('\\n'.repeat(200_000));
  const positions = Float64Array.of(0, 100_000, 199_999, 200_000);
  let pauses = 0;
  for (const _ of positionsInBody(body, positions)) pauses += 1;
  expect([...positions]).toEqual([0, 200_000, 399_998, 400_000]);
  expect(pauses).toBeGreaterThan(3);
});
