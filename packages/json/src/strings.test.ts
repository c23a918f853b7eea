import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type StringVisit, visitStrings } from './strings.ts';

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
