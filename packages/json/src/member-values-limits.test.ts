import { assert, integer, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MemberPath, MemberValues } from './member-values.ts';
import { cut } from './testing/read.ts';

function found(parts: readonly Uint8Array[], paths: readonly MemberPath[] = [['usage']], longest = 100): string[] {
  const values: string[] = [];
  const reader = new MemberValues(paths, longest, (path, json) => values.push(`${path.join('/')}=${json}`));
  for (const part of parts) reader.push(part);
  reader.end();
  return values;
}
const foundIn = (text: string, paths?: readonly MemberPath[], longest?: number) =>
  found([Buffer.from(text)], paths, longest);

describe('the longest value', () => {
  it.each([
    ['a string', (bytes: number) => `"${'x'.repeat(bytes - 2)}"`],
    ['a string outside ASCII', (bytes: number) => `"${'é'.repeat((bytes - 2) / 2)}"`],
    ['a number', (bytes: number) => '7'.repeat(bytes)],
    ['an array', (bytes: number) => `[${' '.repeat(bytes - 2)}]`],
    ['an object', (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`],
  ])('that is reported is one of exactly as many bytes: %s', (_, valueOf) => {
    const [longest, longer] = [valueOf(100), valueOf(102)];
    expect(foundIn(`{"usage":${longest}}`)).toEqual([`usage=${longest}`]);
    expect(foundIn(`{"usage":${longer}}`)).toEqual([]);
  });

  it('does not depend on the blanks before it, nor on the division of the bytes', () => {
    assert(
      property(integer({ min: 95, max: 105 }), nat({ max: 300 }), nat(), nat(), (bytes, blanks, first, second) => {
        const value = `"${'x'.repeat(bytes - 2)}"`;
        const text = Buffer.from(`{"usage"${' '.repeat(blanks)}:${'\n\t'.repeat(blanks)}${value}}`);
        expect(found(cut(text, [first, second]))).toEqual(bytes <= 100 ? [`usage=${value}`] : []);
      }),
      { numRuns: 300 },
    );
  });

  it('is the only one left out: later values are reported', () => {
    expect(foundIn(`{"usage":"${'x'.repeat(200)}","usage":1}{"usage":[2]}`)).toEqual(['usage=1', 'usage=[2]']);
  });

  it('may have megabytes around it', () => {
    const long = `"${'x'.repeat(2 ** 21)}"`;
    const text = Buffer.from(`{"a":${long},"usage":{"n":1},"b":[${long}],"usage":${long}}`);
    const parts = Array.from({ length: Math.ceil(text.length / 65_536) }, (_, at) =>
      text.subarray(at * 65_536, (at + 1) * 65_536),
    );
    expect(found(parts)).toEqual(['usage={"n":1}']);
  });
});

describe('a path of names', () => {
  it('is that of members of this name alone', () => {
    for (const text of [
      '{"usages":1}',
      '{"Usage":1}',
      '{"usag":1}',
      '{"a":"usage"}',
      '["usage",1]',
      '"usage"',
      '{"":1}',
    ]) {
      expect(foundIn(text)).toEqual([]);
    }
  });

  it('with an element in it is not that of a member named *', () => {
    const path = ['list', '*', 'n'];
    expect(foundIn('{"list":{"*":{"n":1}}}', [path])).toEqual([]);
    expect(foundIn('{"list":[{"n":1}]}', [path])).toEqual(['list/*/n=1']);
  });

  it('may be the beginning of another one: the outer value is reported', () => {
    const paths = [['a', 'b'], ['a']];
    expect(foundIn('{"a":{"b":1}}', paths)).toEqual(['a={"b":1}']);
  });

  it('may end at any depth', () => {
    const path = Array.from({ length: 50 }, (_, depth) => `n${depth}`);
    const text = path.reduceRight((inner, name) => `{"x":0,"${name}":${inner},"y":[]}`, '7');
    expect(foundIn(text, [path])).toEqual([`${path.join('/')}=7`]);
  });

  it('is followed in each of several objects and arrays', () => {
    const path = ['choices', '*', 'delta', '*', 'text'];
    const text =
      '{"choices":[{"delta":[{"text":"a"},{"text":"b"}]},{"delta":{"text":"no"}},{"delta":[[{"text":"no"}]]}]}';
    expect(foundIn(text, [path])).toEqual(['choices/*/delta/*/text="a"', 'choices/*/delta/*/text="b"']);
  });
});

describe('a text that cannot be read to its end', () => {
  it.each([
    ['{"usage":{"n":1', []],
    ['{"usage":"x', []],
    ['{"usage":', []],
    ['{"usage":1,"b":}', ['usage=1']],
    ['{"usage":tru', ['usage=tru']],
    ['{"a":1}\n{"usage":{"n":}}\n{"usage":2}\n', ['usage=2']],
    ['{"usage":12', ['usage=12']],
  ])('has the values that were whole before: %j', (text, values) => {
    expect(foundIn(text)).toEqual(values);
  });
});
