import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonFault } from './policy-page.tsx';

const places = (text: string) => jsonFault(text).map(({ line, column }) => [line, column]);

describe('a text that is no JSON', () => {
  it.each([
    ['', 1, 1],
    ['{', 1, 2],
    ['{\n  "a": 1,\n}', 3, 1],
    ['{\n  "a": x,\n  "b": 1\n}', 2, 8],
    ['{\n  "a": tru,\n  "b": 1\n}', 2, 11],
    ['{\n  "a": [read_file]\n}', 2, 9],
    ['{\n  "a": "line\nbreak"\n}', 2, 13],
    ['{"a": 1}\n}', 2, 1],
    ['// a comment\n{}', 1, 1],
    ["{\n  'a': 1\n}", 2, 3],
  ])('%j breaks at line %i, column %i', (text, line, column) => {
    expect(places(text)).toEqual([[line, column]]);
  });

  it('breaks where a wrong sign was put, however long it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(), (value, at) => {
        const lines = JSON.stringify({ value, last: [] }, null, 2).split('\n');
        const line = at % lines.length;
        const faulty = lines.map((text, index) => (index === line ? `@${text.trimStart()}` : text));
        expect(places(faulty.join('\n'))).toEqual([[line + 1, 1]]);
      }),
      { numRuns: 100 },
    );
  });
});

it('of any value finds no fault in its JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(jsonFault(JSON.stringify(value, null, 2))).toEqual([]);
    }),
    { numRuns: 50 },
  );
});
