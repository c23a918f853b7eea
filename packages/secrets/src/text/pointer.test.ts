import { array, assert, constantFrom, jsonValue, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointersOf, positionsInBody, type Range } from './pointer.ts';

function pointers(json: string, ranges: readonly Range[]): string[] {
  const work = pointersOf(Buffer.from(json), ranges);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
/** The range of a text in a body, as bytes. */
function rangeOf(json: string, text: string, mask = '[secret]'): Range {
  const at = json.indexOf(text);
  const start = Buffer.byteLength(json.slice(0, at));
  return { start, end: start + Buffer.byteLength(text), mask };
}
const pointerTo = (json: string, text: string): string | undefined => pointers(json, [rangeOf(json, text)])[0];

describe('the pointer to a finding', () => {
  it.each([
    ['{"a":{"b":["x","HERE"]}}', '/a/b/1'],
    ['["HERE"]', '/0'],
    ['"HERE"', ''],
    ['{"a/b":{"m~n":"HERE"}}', '/a~1b/m~0n'],
    ['{"":"HERE"}', '/'],
    ['{"é":"é HERE"}', '/é'],
    ['{"a":"x"} {"b":"HERE"}', '/b'],
    ['{"a":[[],{},1,"HERE"]}', '/a/3'],
    ['{"a":"x", HERE', ''],
  ])('in %s is %j', (json, pointer) => {
    expect(pointerTo(json, 'HERE')).toBe(pointer);
  });

  it('leads to the value, as RFC 6901 evaluates it, for generated documents', () => {
    assert(
      property(
        jsonValue({ stringUnit: 'grapheme-ascii', maxDepth: 3 }),
        jsonValue({ maxDepth: 2 }),
        (before, after) => {
          const value = { before, found: { list: [before, 'HERE'] }, after };
          const json = JSON.stringify(value);
          // A text of the document may contain the word, too.
          if (json.split('HERE').length !== 2) return;
          expect(pointerTo(json, 'HERE')).toBe('/found/list/1');
        },
      ),
    );
  });

  it('to the name of a member shows the mask instead', () => {
    const json = '{"a":{"HERE":{"b":"x"}}}';
    expect(pointerTo(json, 'HERE')).toBe('/a/[secret]');
    const ranges = [rangeOf(json, 'HERE', '[one]'), rangeOf(json, 'x', '[two]')];
    expect(pointers(json, ranges)).toEqual(['/a/[one]', '/a/[one]/b']);
  });

  it('is there for each of several findings, in their order, also in one text', () => {
    const json = '{"a":"one two","b":["three"]}';
    expect(
      pointers(
        json,
        ['one', 'two', 'three'].map((text) => rangeOf(json, text)),
      ),
    ).toEqual(['/a', '/a', '/b/0']);
    expect(pointers(json, [])).toEqual([]);
  });

  it('is bounded: a long name is cut, and a deep value has the pointer of a container', () => {
    expect(pointerTo(`{"${'n'.repeat(100)}":"HERE"}`, 'HERE')).toBe(`/${'n'.repeat(64)}…`);
    const deep = `${'{"name":'.repeat(500)}"HERE"${'}'.repeat(500)}`;
    const pointer = pointerTo(deep, 'HERE') ?? '';
    expect(pointer).toMatch(/^(?:\/name)+$/);
    expect(pointer.length).toBeLessThanOrEqual(256);
    expect(pointer.length).toBeGreaterThan(250);
  });
});

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
