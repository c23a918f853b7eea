import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRepeatedMember, type MemberPath, MemberValues } from './member-values.ts';
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

describe('a member that an object contains twice', () => {
  it.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":{"c":[],"c":{}}}', 'b.c'],
    ['{"a":[{"b":1},{"b":1,"b":2}]}', 'a.b'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"a\\"":1 , "a\\"" : 2}', 'a"'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"":1,"":2}', ''],
    ['[{},{"a":"x","a":"y"}]', 'a'],
    [' {\n"a" :"\\\\" ,\t"a": ""}', 'a'],
  ])('is found in %s', (json, path) => {
    expect(findRepeatedMember(json)).toBe(path);
  });
  it.each([
    '{}',
    '[]',
    '"a"',
    '7',
    '{"a":"a","b":"a"}',
    '{"a":["a","a",{"a":1}],"b":{"a":1}}',
    '{"a":"{\\"b\\":1,\\"b\\":2}"}',
    '{"a":"\\\\\\"","b":"\\\\"}',
    '{"a":{},"b":[],"c":1}',
  ])('is not in %s', (json) => {
    expect(findRepeatedMember(json)).toBeNull();
  });
  it('is in nothing that was written from a value, and in any object that gets one of its members again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const json = JSON.stringify(value);
        const [name = ''] = Object.keys(value);
        expect(findRepeatedMember(json)).toBeNull();
        expect(findRepeatedMember(`${json.slice(0, -1)},${JSON.stringify(name)}:0}`)).toBe(name);
      }),
    );
  });
  it('is found at any depth', () => {
    const depth = 100_000;
    expect(findRepeatedMember(`${'['.repeat(depth)}{"a":1,"a":1}${']'.repeat(depth)}`)).toBe('a');
  });
});
