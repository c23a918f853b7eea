import { array, assert, json, jsonValue, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encode, Narrower } from './narrow.ts';
import { cut } from './testing/read.ts';
import { JsonTokenizer } from './tokenizer.ts';

type Built = null | boolean | number | string | Built[] | Map<string, Built>;

/** Builds the top-level values of a text from nothing but the events and the bytes to which their offsets point. */
function build(bytes: Buffer, parts: readonly Uint8Array[], options = {}): Built[] {
  const values: Built[] = [];
  const open: Extract<Built, object>[] = [];
  let name = '';
  const add = (value: Built, depth: number): void => {
    expect(depth).toBe(open.length);
    const container = open.at(-1);
    if (container === undefined) values.push(value);
    else if (Array.isArray(container)) container.push(value);
    else container.set(name, value);
  };
  const parsed = (from: number, to: number): Built => JSON.parse(bytes.toString('utf8', from, to)) as Built;
  const tokenizer = new JsonTokenizer(
    {
      open(isObject, at, depth) {
        expect(bytes.toString('latin1', at, at + 1)).toBe(isObject ? '{' : '[');
        const container: Extract<Built, object> = isObject ? new Map<string, Built>() : [];
        add(container, depth);
        open.push(container);
      },
      close(isObject, at) {
        expect(bytes.toString('latin1', at, at + 1)).toBe(isObject ? '}' : ']');
        open.pop();
      },
      name(from, to) {
        name = tokenizer.name;
        expect(parsed(from, to)).toBe(name);
      },
      string: (from, to, depth) => add(parsed(from, to), depth),
      literal: (_kind, from, to, depth) => add(parsed(from, to), depth),
    },
    { longestName: Number.POSITIVE_INFINITY, ...options },
  );
  for (const part of parts) tokenizer.push(part);
  tokenizer.end();
  return values;
}

/** A value of JSON.parse with maps for objects, so that `__proto__` is a name like any other. */
function asMaps(value: unknown): Built {
  if (Array.isArray(value)) return value.map(asMaps);
  if (typeof value !== 'object' || value === null) return value as Built;
  return new Map(Object.entries(value).map(([member, inner]) => [member, asMaps(inner)]));
}

describe('a value that is built from the events', () => {
  it('is the one that JSON.parse reads, for any division of the bytes', () => {
    assert(
      property(json(), array(nat(), { maxLength: 5 }), (text, places) => {
        const bytes = Buffer.from(text);
        expect(build(bytes, cut(bytes, places))).toEqual([asMaps(JSON.parse(text))]);
      }),
      { numRuns: 500 },
    );
  });

  it('is the same with blanks between all tokens', () => {
    assert(
      property(jsonValue(), (value) => {
        const bytes = Buffer.from(JSON.stringify(value, null, '\t \r'.slice(0, 2)));
        expect(build(bytes, [bytes])).toEqual([asMaps(JSON.parse(bytes.toString()))]);
      }),
    );
  });

  it('is one of several on a line each, as logs have them', () => {
    assert(
      property(array(jsonValue(), { maxLength: 6 }), array(nat(), { maxLength: 5 }), (list, places) => {
        const bytes = Buffer.from(list.map((value) => `${JSON.stringify(value)}\n`).join(''));
        expect(build(bytes, cut(bytes, places))).toEqual(
          list.map((value) => asMaps(JSON.parse(JSON.stringify(value)))),
        );
      }),
    );
  });

  it('is the same after UTF-16, for texts of ASCII', () => {
    assert(
      property(json({ stringUnit: 'grapheme-ascii' }), array(nat(), { maxLength: 5 }), (text, places) => {
        const narrower = new Narrower('utf-16be');
        const parts = cut(encode(text, 'utf-16be'), places).map((part) => narrower.push(part));
        expect(build(Buffer.from(text), parts, { narrowed: true })).toEqual([asMaps(JSON.parse(text))]);
      }),
    );
  });

  it('has the last of two members with one name, as JSON.parse does', () => {
    const text = '{"a":1,"b":{"c":1,"c":[2]},"\\u0061":"x"}';
    expect(build(Buffer.from(text), [Buffer.from(text)])).toEqual([asMaps(JSON.parse(text))]);
  });
});
