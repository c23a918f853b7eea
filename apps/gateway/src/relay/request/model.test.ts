import { type Encoding, encode } from '@gateway/json';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksWithModel, lengthWith, planModel, withModel } from './model.ts';
import { atOnce } from './wide-text.ts';

/** A body in one piece as it leaves, and in parts, which must not differ. */
function leaving(body: Buffer, model = 'M', size = 7): { readonly bytes: Buffer; readonly stream: boolean } {
  const plan = atOnce(planModel([body]));
  const parts: Buffer[] = [];
  for (let from = 0; from < body.length; from += size) parts.push(body.subarray(from, from + size));
  const inParts = atOnce(planModel(parts));
  expect(inParts === null).toBe(plan === null);
  if (plan === null || inParts === null) return { bytes: body, stream: false };
  const bytes = withModel(body, plan, model);
  expect(lengthWith(body.length, plan, model)).toBe(bytes.length);
  expect(Buffer.concat([...blocksWithModel(parts, inParts, model)]).equals(bytes)).toBe(true);
  return { bytes, stream: plan.stream };
}
const replaced = (text: string, model = 'M') => leaving(Buffer.from(text), model).bytes.toString();

describe('the model of a body', () => {
  it.each([
    ['{"model":"mine"}', '{"model":"M"}'],
    ['{ "model" : "mine" , "a":1.0}', '{ "model" : "M" , "a":1.0}'],
    ['{"a":12345678901234567890,"model":null}', '{"a":12345678901234567890,"model":"M"}'],
    ['{"model":{"model":"x","b":[1]},"c":2}', '{"model":"M","c":2}'],
    ['{"model":[{"model":1}] }', '{"model":"M" }'],
    ['{"model":"a","model":"b","mod\\u0065l":3}', '{"model":"M","model":"M","mod\\u0065l":"M"}'],
    ['{"\\u006d\\u006f\\u0064\\u0065\\u006c":"a"}', '{"\\u006d\\u006f\\u0064\\u0065\\u006c":"M"}'],
    ['{}', '{"model":"M"}'],
    ['\uFEFF{"model":"mine"}', '\uFEFF{"model":"M"}'],
    [' { } ', ' { "model":"M"} '],
    ['{"messages":[]\n}', '{"messages":[]\n,"model":"M"}'],
    ['{"extra":{"model":"kept"}}', '{"extra":{"model":"kept"},"model":"M"}'],
    ['{"Model":"mine","models":"kept","model ":"kept"}', '{"Model":"M","models":"kept","model ":"kept","model":"M"}'],
    ['{"model":"a","MODEL":{"x":[1]},"mOdEl":1}', '{"model":"M","MODEL":"M","mOdEl":"M"}'],
    ['{"model":"a","\\u004dodel":2,"m\\u006FDEL":3}', '{"model":"M","\\u004dodel":"M","m\\u006FDEL":"M"}'],
    ['{"m\\\\u006fdel":"kept","model":1}', '{"m\\\\u006fdel":"kept","model":"M"}'],
    [' \ufeff{"a":1}', ' \ufeff{"a":1,"model":"M"}'],
    ['{"__proto__":{"model":1},"constructor":2}', '{"__proto__":{"model":1},"constructor":2,"model":"M"}'],
  ])('%j becomes %j', (from, to) => expect(replaced(from)).toBe(to));

  it.each([
    // What tolerant parsers take: existing members are replaced, nothing is added.
    ['{"model":1,"x":NaN}', '{"model":"M","x":NaN}'],
    ['{"x":-Infinity,"y":007,"model":.5}', '{"x":-Infinity,"y":007,"model":"M"}'],
    ['{"x":"a\nb","model":1,}', '{"x":"a\nb","model":"M",}'],
    ['{"model"/*:*/:/**/1/* } */, // }\n"y":[1,]}', '{"model"/*:*/:/**/"M"/* } */, // }\n"y":[1,]}'],
    ['{"MODEL":1,"x":NaN}', '{"MODEL":"M","x":NaN}'],
    ['{"x":NaN}', '{"x":NaN}'],
    ['{"model":\'a"b\',"x":1}', '{"model":"M","x":1}'],
    ['{"mo\\\ndel":1}', '{"mo\\\ndel":"M"}'],
    ['/* x */ {"model":1}', '/* x */ {"model":"M"}'],
    ['{"model":"a"} and more', '{"model":"M"} and more'],
    ['{"model":1}\u0000', '{"model":"M"}\u0000'],
    [
      '{"model":1}{"model":2}\n[{"model":3}]{"a":{"model":4},"MODEL":5}',
      '{"model":"M"}{"model":"M"}\n[{"model":3}]{"a":{"model":4},"MODEL":"M"}',
    ],
    ['{"a":1}{"a":2}', '{"a":1}{"a":2}'],
    ['{"model":1} {"model":2', '{"model":"M"} {"model":2'],
    ['{"model":1} {model:{"model":2}}\n{"model":3}', '{"model":"M"} {model:{"model":2}}\n{"model":"M"}'],
    [
      '{"x":{"model":"kept"},"y":[NaN,{"model":"kept"}],"model":1}',
      '{"x":{"model":"kept"},"y":[NaN,{"model":"kept"}],"model":"M"}',
    ],
    // relay-13
  ])('%j becomes %j, which is no JSON', (from, to) => expect(replaced(from)).toBe(to));

  it('is replaced where bytes are no UTF-8, and then nothing is added', () => {
    const body = Buffer.from('{"x":"\xff\xe9","model":1}', 'latin1');
    expect(leaving(body).bytes.toString('latin1')).toBe('{"x":"\xff\xe9","model":"M"}');
    const without = Buffer.from('{"x":"\xff"}', 'latin1');
    expect(leaving(without).bytes).toEqual(without);
    expect(replaced('{"x":"é😀"}')).toBe('{"x":"é😀","model":"M"}');
  });

  it.each<Encoding>(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])(
    'is replaced in %s, in that encoding',
    (encoding) => {
      for (const [from, to] of [
        ['{"model":"é😀\u3000","MODEL":1}', '{"model":"Mé","MODEL":"Mé"}'],
        ['\ufeff{"a":"é😀\u00a0\u2028"}', '\ufeff{"a":"é😀\u00a0\u2028","model":"Mé"}'],
        ['{"x":NaN,"model":1} x', '{"x":NaN,"model":"Mé"} x'],
        ['{"x":"\ud800","model":1}', '{"x":"\ud800","model":"Mé"}'],
        ['{"x":"\ud800"}', '{"x":"\ud800"}'],
        ['[{"model":1}]', '[{"model":1}]'],
      ] as const)
        expect(leaving(encode(from, encoding), 'Mé').bytes).toEqual(encode(to, encoding));
      const odd = Buffer.concat([encode('{"model":1}', encoding), Buffer.from('x')]);
      expect(leaving(odd).bytes).toEqual(Buffer.concat([encode('{"model":"M"}', encoding), Buffer.from('x')]));
    },
  );

  it.each([
    '',
    'model=mine',
    '{"model":"mine",',
    '{"model":"mine"',
    '[{"model":"a"}]',
    '"model"',
    'NaN',
    'see {"model":"a"}',
    "{'model':1}",
    '{model:1}',
    '{"model":1,x:2}',
    '{"model":1]',
    // relay-14
  ])('%j goes unchanged', (text) => expect(replaced(text)).toBe(text));

  it('writes any slug as JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (slug) => {
        expect(JSON.parse(replaced('{"model":1}', slug))).toEqual({
          model: JSON.parse(JSON.stringify(slug)) as string,
        });
      }),
    );
  });

  // relay-11, relay-12
  it('replaces every model and keeps everything else, on generated objects', () => {
    const members = fc.array(fc.tuple(fc.oneof(fc.constantFrom('model', 'stream', 'a'), fc.string()), fc.json()), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(members, (list) => {
        const text = `{${list.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(' ,')}}`;
        const before = JSON.parse(text) as Record<string, unknown>;
        const { bytes, stream } = leaving(Buffer.from(text));
        const after = JSON.parse(bytes.toString()) as Record<string, unknown>;
        expect(after).toEqual({ ...before, model: 'M' });
        expect(stream).toBe(before['stream'] === true);
        const models = list.filter(([key]) => key.toLowerCase() === 'model').length;
        expect(bytes.toString().split('"M"').length).toBeGreaterThan(Math.max(models, 1));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the wish for a stream', () => {
  it.each([
    ['{"stream":true}', true],
    ['{"stream":false}', false],
    ['{"stream":"true"}', false],
    ['{"stream":1}', false],
    ['{"stream":false,"stream":true}', true],
    ['{"stream":true,"stream":{}}', false],
    ['{"\\u0073tream":true}', true],
    ['{"a":{"stream":true}}', false],
    ['{"stream":true', false],
  ])('of %j is %j', (text, wish) => expect(leaving(Buffer.from(text)).stream).toBe(wish));
});
