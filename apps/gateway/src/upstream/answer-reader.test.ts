import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from './answer-head.ts';
import { AnswerReader, ChunkReader } from './answer-reader.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

interface Answer {
  readonly heads: readonly number[];
  readonly headers: readonly string[];
  readonly body: string;
}

/** A connection whose requests are sent one after the other, each once the answer before it is whole. */
function readAll(methods: readonly string[], pieces: readonly Buffer[]) {
  const answers: Answer[] = [];
  let [heads, headers, body]: [number[], readonly string[], string] = [[], [], ''];
  let sent = 0;
  const reader = new AnswerReader({
    interim: ({ status }) => heads.push(status),
    head(head) {
      heads.push(head.status);
      headers = head.headers;
    },
    data(bytes) {
      body += bytes.toString('latin1');
    },
    end() {
      answers.push({ heads, headers, body });
      [heads, headers, body] = [[], [], ''];
    },
  });
  const send = (): void => {
    if (answers.length !== sent || sent === methods.length) return;
    reader.expect(methods[sent] === 'HEAD');
    sent += 1;
  };
  send();
  let areOwn = true;
  for (const piece of pieces) {
    areOwn = reader.read(piece);
    send();
  }
  return { answers, areOwn, unfinished: body, reader };
}

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const header = fc.tuple(
  fc.constantFrom('Server', 'x', 'X-Request-Id', 'set-cookie', 'Connection-Info', 'keep-alive-x'),
  fc.string({ unit: fc.constantFrom('a', ' ', '\t', ':', '"', '\xfc', ','), maxLength: 12 }),
);
const interim = fc.constantFrom('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');

/** One answer on the wire, and what a caller must get of it. */
const answer = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'HEAD'),
    interims: fc.array(interim, { maxLength: 2 }),
    status: fc.constantFrom(200, 201, 204, 304, 404, 500),
    headers: fc.array(header, { maxLength: 4 }),
    body: fc.string({ unit: byte, maxLength: 60 }),
    chunkSize: fc.integer({ min: 0, max: 20 }),
  })
  .map(({ method, interims, status, headers, body, chunkSize }) => {
    const isBodyless = method === 'HEAD' || status === 204 || status === 304;
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const sent = isBodyless ? '' : body;
    const framing = chunkSize === 0 ? `content-length: ${sent.length}` : 'transfer-encoding: chunked';
    const text = `${interims.join('')}HTTP/1.1 ${status} Some Reason\r\n${lines}${framing}\r\n\r\n`;
    return {
      method,
      text: text + (chunkSize === 0 || isBodyless ? sent : inChunks(sent, chunkSize)),
      heads: [...interims.map((line) => Number(line.slice(9, 12))), status],
      body: sent,
    };
  });

function inChunks(text: string, size: number): string {
  const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  return `${parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n\r\n`;
}

/** Divides a text at arbitrary positions. */
function divided(text: string, cuts: readonly number[]): Buffer[] {
  const at = cuts.map((cut) => cut % (text.length + 1)).sort((one, other) => one - other);
  return [0, ...at].map((from, nth) => latin1(text.slice(from, at[nth] ?? text.length)));
}

describe('answers of one connection', () => {
  it('are each read whole and alone, however the network divides them', () => {
    fc.assert(
      fc.property(
        fc.array(answer, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (all, cuts) => {
          const pieces = all.flatMap(({ text }) => divided(text, cuts));
          const { answers, areOwn } = readAll(
            all.map(({ method }) => method),
            pieces,
          );
          expect(areOwn).toBe(true);
          expect(answers.map(({ heads, body }) => ({ heads, body }))).toEqual(
            all.map(({ heads, body }) => ({ heads, body })),
          );
        },
      ),
    );
  });

  it('of which the last is cut anywhere are whole except for that one', () => {
    fc.assert(
      fc.property(answer, answer, fc.nat(), (first, second, cut) => {
        const end = cut % second.text.length;
        const { answers, unfinished, reader } = readAll(
          [first.method, second.method],
          [latin1(first.text), latin1(second.text.slice(0, end))],
        );
        expect(answers.map(({ body }) => body)).toEqual([first.body]);
        expect(second.body.startsWith(unfinished)).toBe(true);
        expect(reader.close()).toBe(false);
      }),
    );
  });

  it('with anything behind them in the same read do not use it', () => {
    fc.assert(
      fc.property(answer, answer, (first, second) => {
        const { answers, areOwn } = readAll([first.method], [latin1(first.text + second.text)]);
        expect([answers.length, areOwn]).toEqual([1, false]);
        expect(answers[0]?.body).toBe(first.body);
      }),
    );
  });

  it('of which one byte changed are read as HTTP/1.1 or refused, and never crash the gateway', () => {
    fc.assert(
      fc.property(
        answer,
        fc.nat(),
        byte,
        fc.array(fc.nat(), { maxLength: 5 }),
        ({ method, text }, which, other, cuts) => {
          const at = which % text.length;
          const changed = text.slice(0, at) + other + text.slice(at + 1);
          let fault: unknown = null;
          try {
            readAll([method], divided(changed, cuts));
          } catch (error) {
            fault = error;
          }
          expect([null, ProtocolError]).toContain(fault === null ? null : (fault as Error).constructor);
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('the head of an answer', () => {
  const LIMIT = 64 * 1024;
  const begin = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: ';

  it('may have 64 KiB, and no byte more, at once or in pieces', () => {
    const headOf = (size: number): string => `${begin}${'y'.repeat(size - begin.length)}\r\n\r\n`;
    const cut = headOf(LIMIT).length >> 1;
    expect(readAll(['GET'], [latin1(headOf(LIMIT))]).answers).toHaveLength(1);
    expect(readAll(['GET'], divided(headOf(LIMIT), [cut, cut + 1])).answers).toHaveLength(1);
    expect(() => readAll(['GET'], [latin1(headOf(LIMIT + 1))])).toThrow('headers too long');
    expect(() => readAll(['GET'], divided(headOf(LIMIT + 1), [cut]))).toThrow('headers too long');
  });

  it('that never ends is refused before more than its limit is kept', () => {
    let heads = 0;
    const reader = new AnswerReader({ interim() {}, head: () => (heads += 1), data() {}, end() {} });
    reader.expect(false);
    reader.read(latin1(begin));
    const piece = Buffer.alloc(1000, 'y');
    const sent = (): number => {
      for (let pieces = 1; ; pieces += 1) {
        if (pieces > 100) return Number.POSITIVE_INFINITY;
        try {
          reader.read(piece);
        } catch {
          return pieces * piece.length;
        }
      }
    };
    expect(sent()).toBeLessThan(LIMIT + 2 * piece.length);
    expect(heads).toBe(0);
  });

  it.each([
    ['TLS', '\x15\x03\x01\x00\x02\x02'],
    ['SSH', 'SSH-2.0-OpenSSH_9'],
    ['HTTP/2', '\0\0\x12\x04\0\0\0\0\0'],
    ['a later version', 'HTTP/2'],
    ['a body that precedes it', '{"error":'],
  ])('is refused at its first bytes where they are %s, though no line ends', (_what, text) => {
    expect(() => readAll(['GET'], [latin1(text)])).toThrow(ProtocolError);
    expect(() => readAll(['GET'], text.split('').map(latin1))).toThrow(ProtocolError);
  });

  it.each(['HTTP/1.1 200 OK\n', 'HTTP/1.1 200 OK\r\nx: y\n', 'HTTP/1.1 200 OK\rx'])(
    'that begins with %j is refused without waiting for its end',
    (text) => {
      expect(() => readAll(['GET'], text.split('').map(latin1))).toThrow('invalid head');
    },
  );

  it('keeps the order, the spelling and the bytes of its headers, except for blanks before a value', () => {
    const lines = ['X-B: 1', 'x-a:\t 2 ', 'X-B:3:4', 'x-:\xe9'];
    const { answers } = readAll(
      ['GET'],
      [latin1(`HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\ncontent-length: 0\r\n\r\n`)],
    );
    expect(answers[0]?.headers.slice(0, 8)).toEqual(['X-B', '1', 'x-a', '2 ', 'X-B', '3:4', 'x-', '\xe9']);
  });
});

describe('an answer that is no longer needed', () => {
  const text = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nbody';

  it.each(['head', 'data'])('is read no further once its caller leaves at its %s', (when) => {
    const seen: string[] = [];
    const reader: AnswerReader = new AnswerReader({
      interim() {},
      head: () => saw('head'),
      data: () => saw('data'),
      end: () => saw('end'),
    });
    function saw(what: string): void {
      seen.push(what);
      if (what === when) reader.stop();
    }
    reader.expect(false);
    reader.read(latin1(text));
    expect(seen).not.toContain('end');
    const before = [...seen];
    reader.read(latin1(text));
    expect(seen).toEqual(before);
    expect(reader.close()).toBe(false);
  });
});

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
