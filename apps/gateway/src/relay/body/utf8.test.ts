import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inUtf8 } from './utf8.ts';

const utf32 = (text: string, little: boolean): Buffer => {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [at, point] of points.entries()) {
    if (little) bytes.writeUInt32LE(point, at * 4);
    else bytes.writeUInt32BE(point, at * 4);
  }
  return bytes;
};
const ENCODINGS: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['UTF-16, little end first', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16, big end first', (text) => Buffer.from(text, 'utf16le').swap16()],
  ['UTF-32, little end first', (text) => utf32(text, true)],
  ['UTF-32, big end first', (text) => utf32(text, false)],
];

describe.each(ENCODINGS)('%s', (_, encoded) => {
  it('is UTF-8 where it is a JSON object, with and without a byte order mark', () => {
    const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());
    fc.assert(
      fc.property(object, fc.constantFrom('', '\ufeff'), (value, mark) => {
        const text = JSON.stringify(value);
        expect(inUtf8(encoded(mark + text)).toString()).toBe(text);
      }),
    );
  });
  it('with halves of surrogate pairs is read as parsers read it that let them pass', () => {
    const bytes = encoded('{"model":"x?"}');
    const half = encoded('\ud800');
    bytes.set(half, bytes.indexOf(encoded('?')));
    expect(inUtf8(bytes).toString()).toBe('{"model":"x\ufffd"}');
  });
  it.each(['[1,2]', 'null', '{"a":1', 'plain text', '{}{}'])('that is no JSON object stays as it came: %s', (text) => {
    const bytes = encoded(text);
    expect(inUtf8(bytes)).toBe(bytes);
  });
  it('of many parts is UTF-8 too, whatever stands where two of them meet', () => {
    for (let ahead = 0; ahead < 4; ahead += 1) {
      const text = JSON.stringify({ text: `${'a'.repeat(ahead)}${'😀é'.repeat(40_000)}` });
      expect(inUtf8(encoded(text)).equals(Buffer.from(text))).toBe(true);
    }
  });
  it('that was cut within a unit stays as it came', () => {
    const bytes = encoded('{"a":1}').subarray(0, -1);
    expect(inUtf8(bytes)).toBe(bytes);
  });
});

it('leaves every other body as it came', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const body = Buffer.from(bytes);
      fc.pre(!bytes.includes(0x7b));
      expect(inUtf8(body)).toBe(body);
    }),
  );
  for (const text of ['', '{', '{}', ' {}', '{"a":1}', '\ufeff{"a":1}']) {
    const body = Buffer.from(text);
    expect(inUtf8(body)).toBe(body);
  }
  const beyond = utf32('{"a":1}', true);
  beyond.writeUInt32LE(0x11_0000, 8);
  expect(inUtf8(beyond)).toBe(beyond);
});

it('takes no more memory than the bytes that it reads and makes', () => {
  // As one text of JavaScript, built a character at a time, these forty megabytes took 330 and ended the process.
  const program = `
    const { inUtf8 } = await import(process.argv[1]);
    const body = Buffer.alloc(40_000_000, Buffer.from([0x20, 0, 0, 0]));
    body.writeUInt32LE(0x7b);
    body.writeUInt32LE(0x7d, body.length - 4);
    process.stdout.write(String(inUtf8(body).length));`;
  const flags = ['--max-old-space-size=64', '--input-type=module', '--eval', program];
  const ran = spawnSync(process.execPath, [...flags, new URL('./utf8.ts', import.meta.url).href]);
  expect([ran.stderr.toString(), ran.stdout.toString()]).toEqual(['', '10000000']);
});
