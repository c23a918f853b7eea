import * as fc from 'fast-check';
import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRepeatedMember, type MemberPath, MemberValues, type StringVisit, visitStrings } from './member-values.ts';
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

function visited(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const body = Buffer.from(text);
  const strings: string[] = [];
  const visits = visitStrings(
    body,
    (from, to) => body.toString('utf8', from, to),
    ({ path, from, to, isName }: StringVisit) =>
      strings.push(`/${path.join('/')} ${isName ? 'name' : body.toString('utf8', from, to)}`) < most,
  );
  while (visits.next().done !== true);
  return strings;
}

describe('the strings of a JSON text', () => {
  it('are visited in order, each with its path', () => {
    expect(visited('{"a":"x","b":[1,"y",["z"],{"c":"\\"w"}],"d":2}')).toEqual([
      '/a name',
      '/a x',
      '/b name',
      '/b/1 y',
      '/b/2/0 z',
      '/b/3/c name',
      '/b/3/c \\"w',
      '/d name',
    ]);
  });
  it('are visited until the visitor stops, or no more can be read', () => {
    expect(visited('["a","b","c"]', 2)).toEqual(['/0 a', '/1 b']);
    expect(visited('{"a":"x",b:"y"}')).toEqual(['/a name', '/a x']);
  });
  it('are visited in texts of several slices', () => {
    const long = 'x'.repeat(200_000);
    expect(visited(`["${long}",{"k":"${long}"},"end"]`)).toEqual([`/0 ${long}`, '/1/k name', `/1/k ${long}`, '/2 end']);
  });
});

describe('every string of a document', () => {
  /** Names and strings of a value in the order of the text, each with its path. */
  function walk(value: unknown, path: readonly (string | number)[]): string[] {
    if (typeof value === 'string') return [`/${path.join('/')} ${JSON.stringify(value).slice(1, -1)}`];
    if (Array.isArray(value)) return value.flatMap((inner, index) => walk(inner, [...path, index]));
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([written, inner]) => {
      const member = [...path, JSON.stringify(written).slice(1, -1)];
      return [`/${member.join('/')} name`, ...walk(inner, member)];
    });
  }

  it('is visited with the path to it, for generated documents', () => {
    assert(
      property(jsonValue(), (value) => {
        // An object may have `__proto__`, which a literal would not keep.
        const text = JSON.stringify(value);
        expect(visited(text)).toEqual(walk(JSON.parse(text), []));
      }),
      { numRuns: 500 },
    );
  });

  it('has the path within its own value where several follow each other', () => {
    expect(visited('{"a":"x"}\n["y",{"b":"z"}]\n"w"')).toEqual([
      '/a name',
      '/a x',
      '/0 y',
      '/1/b name',
      '/1/b z',
      '/ w',
    ]);
    expect(visited('{"a":{"b":}}\n["y"]')).toEqual(['/a name', '/a/b name']);
    expect(visited('{}\n{"a":{"b":}}\n["y"]')).toEqual(['/a name', '/a/b name', '/0 y']);
  });

  it('counts elements by the commas that a tolerant parser sees', () => {
    expect(visited('["a" "b",, "c",]')).toEqual(['/0 a', '/1 b', '/2 c']);
    expect(visited('[[],{},1,"a"]')).toEqual(['/3 a']);
  });

  it('is visited nowhere in an empty text', () => {
    for (const text of ['', '  ', '{}', '[]', '7', '[[[]],{}]']) expect(visited(text)).toEqual([]);
  });
});
