import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MemberPath, MemberValues } from './member-values.ts';
import { cut } from './testing/read.ts';

const PATHS = [['usage'], ['response', 'usage'], ['*', 'usageMetadata'], ['list', '*', 'n']] as const;

function found(text: string, places: readonly number[] = [], paths: readonly MemberPath[] = PATHS, longest = 100) {
  const values: [string, string][] = [];
  const reader = new MemberValues(paths, longest, (path, json) => values.push([path.join('/'), json]));
  for (const part of cut(Buffer.from(text), places)) reader.push(part);
  reader.end();
  return values;
}

describe('values of chosen members', () => {
  it.each([
    ['{"usage" : {"a":[1,{"b":2}]},"x":1}', [['usage', '{"a":[1,{"b":2}]}']]],
    ['{"us\\u0061ge":7}', [['usage', '7']]],
    ['{"x":{"usage":1},"usage":"t"}', [['usage', '"t"']]],
    ['{"response":{"x":{"usage":1},"usage":{"b":2}}}', [['response/usage', '{"b":2}']]],
    [
      '[{"usageMetadata":{"n":1}},\n{"usageMetadata":{"n":2}}]',
      [
        ['*/usageMetadata', '{"n":1}'],
        ['*/usageMetadata', '{"n":2}'],
      ],
    ],
    [
      '{"list":[{"n":1},{"n":[2]},3]}',
      [
        ['list/*/n', '1'],
        ['list/*/n', '[2]'],
      ],
    ],
    [
      '{"usage":1}\n{"usage":2}\n',
      [
        ['usage', '1'],
        ['usage', '2'],
      ],
    ],
    ['{"usage":{"usage":1}}', [['usage', '{"usage":1}']]],
    ['{"usage":{"a":1', []],
    [`{"usage":"${'x'.repeat(100)}"}`, []],
    ['{"a":[{"usage":1}]}', []],
  ])('of %j', (text, values) => {
    expect(found(text)).toEqual(values);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 4 }), (places) => {
        expect(found(text, places)).toEqual(values);
      }),
    );
  });

  it('are reported as written, for generated documents', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), fc.array(fc.nat(), { maxLength: 4 }), (value, other, places) => {
        const values = found(`{"o":${other},"usage":${value},"p":${other}}`, places, [['usage']], 1_000_000);
        expect(values).toEqual([['usage', value.trim()]]);
      }),
    );
  });
});
