import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findRepeatedMember } from './repeated-member.ts';

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
