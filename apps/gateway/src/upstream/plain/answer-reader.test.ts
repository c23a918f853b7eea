import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from './answer-head.ts';
import { AnswerReader } from './answer-reader.ts';

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
