import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanJsonObject } from './json-object.ts';
import { withModel } from './model.ts';

const scan = (text: string) => scanJsonObject(Buffer.from(text));
const replaced = (text: string, model = 'M') => withModel(Buffer.from(text), model).bytes.toString();

/** What the contract says, with the runtime's own parser: is it one JSON object? */
function isObject(bytes: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

describe('what is one JSON object', () => {
  it.each([
    '{}',
    ' {"a":1} \n',
    '{"a":[{}, [], [[1]], "x", -0.5e+3, null, true, false]}',
    '{"":{"":{}}}',
    '\ufeff {"a":1}',
    '{"\\u0041\\n\\/":"\\ud800"}',
  ])('%j is', (text) => expect(scan(text)).not.toBeNull());

  it.each([
    '',
    ' ',
    '[]',
    'null',
    '"model"',
    '1.0',
    '{',
    '}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{"a":1}{}',
    '{"a":1} x',
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":-}',
    '{"a":1e}',
    '{"a":+1}',
    '{"a":tru}',
    '{"a":nul',
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":"\\u12',
    '{"a":"\n"}',
    '{"a":"unended}',
    '{"a":[1,]}',
    '{"a":[1}}',
    '{"a":{]}',
    "{'a':1}",
    '{a:1}',
    ' \uFEFF{"a":1}',
    '\uFEFF\uFEFF{"a":1}',
    '\uFEFF',
    '{"a":1}\u0000',
  ])('%j is not', (text) => expect(scan(text)).toBeNull());

  it('survives 200,000 nested levels without recursion', () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)},"model":1}`;
    expect(scan(deep)?.models).toHaveLength(2);
    expect(scan(`{"a":${'['.repeat(200_000)}`)).toBeNull();
  });

  it('agrees with JSON.parse on generated documents, whole and damaged', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.integer({ min: 0, max: 255 }), fc.boolean(), (text, place, byte, insert) => {
        const whole = Buffer.from(`{"k":${text},"l":[${text}]}`);
        expect(scanJsonObject(whole) !== null).toBe(isObject(whole));
        const at = place % whole.length;
        const damaged = Buffer.concat([
          whole.subarray(0, at),
          Buffer.from([byte]),
          whole.subarray(insert ? at : at + 1),
        ]);
        expect(scanJsonObject(damaged) !== null).toBe(isObject(damaged));
        const cut = whole.subarray(0, at);
        expect(scanJsonObject(cut) !== null).toBe(isObject(cut));
      }),
      { numRuns: 3000 },
    );
  });

  it('agrees with JSON.parse on every byte at every place of a long string', () => {
    for (let place = 0; place < 13; place += 1)
      for (let byte = 0; byte < 256; byte += 1) {
        const body = Buffer.from(`{"k":"${'x'.repeat(13)}","model":1}`);
        body[6 + place] = byte;
        expect(scanJsonObject(body) !== null, `${byte} at ${place}`).toBe(isObject(body));
      }
  });

  it('agrees with JSON.parse on texts made of the characters JSON is made of', () => {
    const alphabet = [
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      'u',
      '0',
      '1',
      'e',
      '-',
      '.',
      'true',
      'null',
      ' ',
      'a',
      'é',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...alphabet), { maxLength: 24 }), (parts) => {
        const bytes = Buffer.from(`{${parts.join('')}`);
        expect(scanJsonObject(bytes) !== null).toBe(isObject(bytes));
      }),
      { numRuns: 20_000 },
    );
  });
});

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
    [
      '{"Model":"kept","models":"kept","model ":"kept"}',
      '{"Model":"kept","models":"kept","model ":"kept","model":"M"}',
    ],
    ['{"__proto__":{"model":1},"constructor":2}', '{"__proto__":{"model":1},"constructor":2,"model":"M"}'],
  ])('%j becomes %j', (from, to) => expect(replaced(from)).toBe(to));

  it.each([
    '',
    'model=mine',
    '{"model":"mine",',
    '{"model":"a"} and more',
    '[{"model":"a"}]',
    '{"model":"a"}\n{"model":"b"}\n',
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

  it('replaces every model and keeps everything else, on generated objects', () => {
    const members = fc.array(fc.tuple(fc.oneof(fc.constantFrom('model', 'stream', 'a'), fc.string()), fc.json()), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(members, (list) => {
        const text = `{${list.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(' ,')}}`;
        const before = JSON.parse(text) as Record<string, unknown>;
        const { bytes, stream } = withModel(Buffer.from(text), 'M');
        const after = JSON.parse(bytes.toString()) as Record<string, unknown>;
        expect(after).toEqual({ ...before, model: 'M' });
        expect(stream).toBe(before['stream'] === true);
        const models = list.filter(([key]) => key === 'model').length;
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
  ])('of %j is %j', (text, wish) => expect(withModel(Buffer.from(text), 'M').stream).toBe(wish));
});
