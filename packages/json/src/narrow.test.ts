import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Encoding, encode, encodingOf, Narrower, UNIT_BYTES } from './narrow.ts';
import { cut, PIECES, read } from './testing/read.ts';

const WIDE = ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'] as const;
const SAMPLE = '{"modél😀":"x\u2028",\u00a0"b":[1,\ufeff2]} // \u2028 {"c":1}';

/** Events without the data that narrow bytes lose: names outside ASCII, and offsets in bytes. */
const shapeOf = (events: readonly string[]): string[] => events.map((event) => event.split(' ')[0] ?? '');

function narrowed(bytes: Buffer, encoding: Exclude<Encoding, 'utf-8'>, places: readonly number[]) {
  const narrower = new Narrower(encoding);
  const parts = cut(bytes, places).map((part) => narrower.push(part));
  return { parts, isWellFormed: narrower.isWellFormed, reading: read(parts, { narrowed: true }) };
}

describe('UTF-16 and UTF-32', () => {
  it.each(WIDE)('%s is detected by its first bytes, with a mark and without', (encoding) => {
    for (const text of ['{"a":1}', ' \n{}', '\ufeff{}', '[é]', '"é"'])
      expect(encodingOf(encode(text, encoding))).toBe(encoding);
  });

  it('is nothing else', () => {
    for (const text of ['{}', '', '\ufeff{}', 'é{}', '{"a":1}']) expect(encodingOf(Buffer.from(text))).toBe('utf-8');
  });

  it.each(WIDE)('%s is read like UTF-8, with offsets in units, for any division', (encoding) => {
    const ascii = '{"a":[1,true,"x\\u00e9"]}{}';
    const inUtf8 = read([Buffer.from(ascii)]);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 4 }), (places) => {
        expect(narrowed(encode(ascii, encoding), encoding, places).reading).toEqual(inUtf8);
      }),
    );
    const bytes = encode(SAMPLE, encoding);
    const { reading, isWellFormed } = narrowed(bytes, encoding, [5, 6, 7, 20]);
    expect([shapeOf(reading.events), isWellFormed]).toEqual([shapeOf(read([Buffer.from(SAMPLE)]).events), true]);
  });

  it('is read as UTF-8 is, for texts of the pieces JSON is made of', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }),
        fc.constantFrom(...WIDE),
        (list, encoding) => {
          const text = `{"a":1,${list.join('')}}`;
          const utf8 = read([Buffer.from(text)]);
          const { reading } = narrowed(encode(text, encoding), encoding, []);
          expect([shapeOf(reading.events), reading.isStrict, reading.values]).toEqual([
            shapeOf(utf8.events),
            utf8.isStrict,
            utf8.values,
          ]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('is not well formed where characters are halves, beyond Unicode or cut', () => {
    const check = (bytes: Buffer, encoding: (typeof WIDE)[number]): boolean =>
      narrowed(bytes, encoding, []).isWellFormed;
    for (const text of ['\ud800', '\udc00', '\ud800x', 'x\udc00\ud800']) {
      for (const encoding of WIDE) expect(check(encode(text, encoding), encoding)).toBe(false);
    }
    expect(check(Buffer.from([0, 0x11, 0, 0]), 'utf-32be')).toBe(false);
    for (const encoding of WIDE) {
      const bytes = encode('😀x', encoding);
      expect(check(bytes, encoding)).toBe(true);
      expect(check(bytes.subarray(0, -1), encoding)).toBe(false);
      expect(bytes.length % UNIT_BYTES[encoding]).toBe(0);
    }
  });
});
