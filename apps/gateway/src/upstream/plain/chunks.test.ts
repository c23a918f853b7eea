import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from './answer-head.ts';
import { ChunkReader } from './chunks.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Reads a body as a connection does: what a read leaves is passed again, before the next piece. */
function readPieces(pieces: readonly Buffer[]) {
  const reader = new ChunkReader();
  let payload = '';
  let rest = Buffer.alloc(0);
  for (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const end = reader.read(bytes, 0);
    payload += bytes.toString('latin1', 0, end);
    rest = Buffer.from(bytes.subarray(reader.at));
    if (reader.fault !== null) break;
  }
  return { payload, rest: rest.toString('latin1'), isEnded: reader.isEnded, fault: reader.fault };
}

/** Every byte alone. */
const readBytes = (text: string) => readPieces(text.split('').map(latin1));

/** One piece, then byte by byte: both must find the same. */
function readBoth(text: string) {
  const whole = readPieces([latin1(text)]);
  const { payload, isEnded, fault } = readBytes(text);
  expect({ payload, isEnded, message: fault?.message }).toEqual({
    payload: whole.payload,
    isEnded: whole.isEnded,
    message: whole.fault?.message,
  });
  return whole;
}

const payload = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
});
const token = fc.constantFrom('a', 'x-y', '~', 'Name9');
const extension = fc.oneof(
  token.map((name) => `;${name}`),
  fc.tuple(token, token).map(([name, value]) => `;${name}=${value}`),
  fc.tuple(token, fc.constantFrom('', 'a;b', '\\"', '\\\\', '\t \xff')).map(([name, value]) => `;${name}="${value}"`),
);
const chunk = fc.record({
  data: payload.filter((data) => data !== ''),
  zeros: fc.constantFrom('', '0', '0000'),
  isUpper: fc.boolean(),
  extensions: fc.array(extension, { maxLength: 2 }),
});
const trailer = fc.constantFrom('x-checksum: 1', 'Empty:', 'grpc-status:\t0 ', 'odd: \xe9');

/** A body in chunks, the text that it carries, and what follows on the connection. */
const body = fc
  .record({ chunks: fc.array(chunk, { maxLength: 6 }), trailers: fc.array(trailer, { maxLength: 3 }), after: payload })
  .map(({ chunks, trailers, after }) => {
    const parts = chunks.map(({ data, zeros, isUpper, extensions }) => {
      const size = data.length.toString(16);
      return `${zeros}${isUpper ? size.toUpperCase() : size}${extensions.join('')}\r\n${data}\r\n`;
    });
    const last = `0\r\n${trailers.map((line) => `${line}\r\n`).join('')}\r\n`;
    return { text: parts.join('') + last, carried: chunks.map(({ data }) => data).join(''), after };
  });

describe('a chunked body', () => {
  it('carries the same payload however the network divides it, and ends exactly before what follows', () => {
    fc.assert(
      fc.property(body, fc.array(fc.nat(), { maxLength: 12 }), ({ text, carried, after }, cuts) => {
        const all = text + after;
        const at = cuts.map((cut) => cut % (all.length + 1)).sort((one, other) => one - other);
        const pieces = [0, ...at].map((from, nth) => latin1(all.slice(from, at[nth] ?? all.length)));
        const read = readPieces(pieces);
        expect(read).toEqual({ payload: carried, rest: after, isEnded: true, fault: null });
      }),
    );
  });

  it('that is cut anywhere has not ended, and its beginning has arrived', () => {
    fc.assert(
      fc.property(body, fc.nat(), ({ text, carried }, cut) => {
        const read = readPieces([latin1(text.slice(0, cut % text.length))]);
        expect(read).toMatchObject({ isEnded: false, fault: null });
        expect(carried.startsWith(read.payload)).toBe(true);
      }),
    );
  });

  it('in which one byte changed is never read beyond its end as payload', () => {
    fc.assert(
      fc.property(body, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ text }, which, code) => {
        const at = which % text.length;
        const read = readPieces([latin1(text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1))]);
        expect(read.payload.length).toBeLessThanOrEqual(text.length);
        expect([null, ProtocolError]).toContain(read.fault === null ? null : read.fault.constructor);
      }),
    );
  });

  it('keeps the payload before a fault', () => {
    expect(readBoth('3\r\nabc\r\n2\r\ndeX')).toMatchObject({ payload: 'abcde', isEnded: false });
    expect(readBoth('3\r\nabc\r\nz').fault?.message).toContain('invalid chunk size');
  });

  it.each([
    ['a blank behind its size', '3 \r\nabc\r\n0\r\n\r\n'],
    ['a blank before its extension', '3 ;a\r\nabc\r\n0\r\n\r\n'],
    ['a blank within its extension', '3;a =b\r\nabc\r\n0\r\n\r\n'],
    ['an extension without a name', '3;=b\r\nabc\r\n0\r\n\r\n'],
    ['an extension without a value', '3;a=\r\nabc\r\n0\r\n\r\n'],
    ['a quoted value that does not end', '3;a="b\r\nabc\r\n0\r\n\r\n'],
    ['text behind a quoted value', '3;a="b"c\r\nabc\r\n0\r\n\r\n'],
    ['LF within an extension', '3;a\n;b\r\nabc\r\n0\r\n\r\n'],
    ['a prefix of its size', '0x3\r\nabc\r\n0\r\n\r\n'],
    ['an underscore in its size', '0_3\r\nabc\r\n0\r\n\r\n'],
    ['CR without LF behind its size', '3\rabc\r\n0\r\n\r\n'],
    ['CR without LF behind its data', '3\r\nabc\r0\r\n\r\n'],
    ['no end behind its data', '3\r\nabc0\r\n\r\n'],
    ['a transfer coding in its trailers', '3\r\nabc\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a folded trailer', '3\r\nabc\r\n0\r\na: b\r\n c: d\r\n\r\n'],
    ['a NUL in a trailer', '3\r\nabc\r\n0\r\na: \0\r\n\r\n'],
    ['LF that ends a trailer', '3\r\nabc\r\n0\r\na: b\nc: d\r\n\r\n'],
    ['LF that ends its trailers', '3\r\nabc\r\n0\r\n\n\r\n'],
  ])('with %s is refused in any division', (_what, text) => {
    const { isEnded, fault } = readBoth(text);
    expect(isEnded).toBe(false);
    expect(fault).toBeInstanceOf(ProtocolError);
  });
});

describe('the limits of a chunked body', () => {
  const LINE = 16 * 1024;
  const TRAILERS = 64 * 1024;

  it.each([
    ['extensions', (size: number) => `1;${'a'.repeat(size - 2)}`],
    ['leading zeros', (size: number) => '1'.padStart(size, '0')],
  ])('allow a line of 16 KiB with %s, and no byte more', (_what, line) => {
    expect(readPieces([latin1(`${line(LINE)}\r\nx\r\n0\r\n\r\n`)])).toMatchObject({ payload: 'x', isEnded: true });
    expect(readPieces([latin1(`${line(LINE + 1)}\r\nx\r\n0\r\n\r\n`)]).fault?.message).toContain('too long');
  });

  it.each([
    ['an extension', '1;', 'a'],
    ['a size', '', '0'],
  ])('cut off %s that never ends, before more than the limit is kept', (_what, begin, repeated) => {
    const reader = new ChunkReader();
    let rest = begin;
    while (reader.fault === null) {
      rest += repeated.repeat(1000);
      reader.read(latin1(rest), 0);
      expect(rest.length).toBeLessThan(LINE + 2000);
    }
    expect(reader.fault.message).toContain('line of a chunk too long');
  });

  it('cut off trailers that never end, in one line or in many', () => {
    expect(readPieces([latin1('0\r\n'), latin1(`a: ${'b'.repeat(TRAILERS)}`)]).fault?.message).toContain(
      'trailers too long',
    );
    const line = `a: ${'b'.repeat(997)}\r\n`;
    const many = readPieces([latin1('0\r\n'), ...Array.from({ length: 66 }, () => latin1(line))]);
    expect(many.fault?.message).toContain('trailers too long');
    const fewer = readPieces([latin1('0\r\n'), ...Array.from({ length: 65 }, () => latin1(line)), latin1('\r\n')]);
    expect(fewer).toMatchObject({ isEnded: true, fault: null });
  });

  it('refuse a size that no number holds, however many zeros precede it', () => {
    expect(readPieces([latin1('1fffffffffffff\r\nx')])).toMatchObject({ payload: 'x', fault: null });
    expect(readPieces([latin1('000020000000000000\r\nx')]).fault?.message).toContain('chunk too large');
  });
});
