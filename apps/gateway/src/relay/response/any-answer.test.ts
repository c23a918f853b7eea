import type { Socket } from 'node:net';
import { setImmediate as soon } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  double,
  option,
  record,
} from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { profile as serverless } from '../../profile/serverless.ts';
import { ask, watch } from '../../testing/caller.ts';
import { type RawEngine, startRawEngine } from '../../testing/raw-engine.ts';
import { startWorld, type World } from '../../testing/world.ts';

// A hundred calls one after another, many of which wait for their record.
vi.setConfig({ testTimeout: 120_000 });

const CODINGS = {
  none: (body: Buffer) => body,
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateRawSync,
  'deflate, gzip': (body: Buffer) => gzipSync(deflateRawSync(body)),
} as const;

const KEPT = [
  ['ETag', '"a"'],
  ['Set-Cookie', 'a=1'],
  ['Set-Cookie', 'b=2'],
  ['x-empty', ''],
  ['X-Name', 'caf\xc3\xa9 \xe9'],
  ['__proto__', 'x'],
  ['x-tab', 'a\tb'],
  ['Date', 'Mon, 01 Jan 2024 00:00:00 GMT'],
  ['Location', 'http://169.254.169.254/'],
] as const;
const DROPPED = [
  ['Keep-Alive', 'timeout=5'],
  ['Proxy-Authenticate', 'Basic'],
  ['Trailer', 'X-T'],
  ['Upgrade', 'h2c'],
] as const;

const answers = record({
  status: constantFrom(200, 201, 206, 299, 302, 400, 404, 418, 429, 500, 503, 599, 999),
  type: constantFrom('application/json', 'text/event-stream', 'text/plain', 'image/png'),
  kept: array(constantFrom(...KEPT), { maxLength: 6 }),
  dropped: array(constantFrom(...DROPPED), { maxLength: 3 }),
  words: array(constantFrom('some ', 'words\n', 'data: {"a":1}\n\n', '{"usage":', '\u{1f600}'), { maxLength: 400 }),
  coding: constantFrom(...(Object.keys(CODINGS) as (keyof typeof CODINGS)[])),
  framing: constantFrom('length', 'chunks', 'close'),
  streamAsked: boolean(),
  /** Where the bytes are cut into pieces, as parts of the whole. */
  cuts: array(double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
  /** Where the provider resets the connection, as a part of the body's bytes. */
  reset: option(double({ min: 0, max: 0.9, noNaN: true })),
});
type Made = typeof answers extends Arbitrary<infer One> ? One : never;

/** The answer as its provider writes it, and the length of its head. */
function wireOf({ status, type, kept, dropped, words, coding, framing }: Made): { bytes: Buffer; head: number } {
  const body = CODINGS[coding](Buffer.from(words.join('')));
  const fields: (readonly [string, string])[] = [['Content-Type', type], ...kept, ...dropped];
  if (coding !== 'none') fields.push(['Content-Encoding', coding]);
  if (framing === 'length') fields.push(['Content-Length', String(body.length)]);
  fields.push(framing === 'chunks' ? ['Transfer-Encoding', 'chunked'] : ['Connection', 'close']);
  const lines = [`HTTP/1.1 ${status} `, ...fields.map(([name, value]) => `${name}: ${value}`), '', ''];
  const head = Buffer.from(lines.join('\r\n'), 'latin1');
  if (framing !== 'chunks') return { bytes: Buffer.concat([head, body]), head: head.length };
  const half = body.length >> 1;
  const chunks = [body.subarray(0, half), body.subarray(half)].filter((part) => part.length > 0);
  const framed = chunks.flatMap((part) => [
    Buffer.from(`${part.length.toString(16)};a=1\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  return { bytes: Buffer.concat([head, ...framed, Buffer.from('0\r\nX-T: 1\r\n\r\n')]), head: head.length };
}

async function say(socket: Socket, bytes: Buffer, cuts: readonly number[], reset: boolean): Promise<void> {
  socket.setNoDelay(true); // a reset takes back what has not left
  const places = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)), bytes.length].toSorted((a, b) => a - b);
  for (const [index, place] of places.entries()) {
    if (index > 0) socket.write(bytes.subarray(places[index - 1], place));
    await soon();
  }
  if (reset) socket.write('', () => socket.resetAndDestroy());
  else if (/\r\nConnection: close\r\n/.test(bytes.toString('latin1'))) socket.end();
}

describe.each([serverless, onPremise])('any answer of a provider, in any pieces, $name', (profile) => {
  let world: World;
  let engine: RawEngine;
  let answer: (socket: Socket) => void = () => {};

  beforeAll(async () => {
    world = await startWorld({ profile });
    engine = await startRawEngine((socket) => answer(socket));
    await world.serve('any', { baseUrl: engine.url });
  });
  afterAll(async () => {
    await engine.stop();
    await world.stop();
  });

  const property = asyncProperty(answers, async (made) => {
    const { bytes, head } = wireOf(made);
    const asking = { key: world.key, body: { messages: [], stream: made.streamAsked } };
    if (made.reset !== null && bytes.length > head) {
      const part = bytes.subarray(0, head + Math.floor(made.reset * (bytes.length - head)));
      answer = (socket) => void say(socket, part, made.cuts, true).catch(() => {});
      expect(await watch(world.port, '/any/x', asking).done).toBe('broken');
      return;
    }
    answer = (socket) => void say(socket, bytes, made.cuts, false).catch(() => {});
    const got = await ask(world.port, '/any/x', asking);
    expect([got.status, got.text]).toEqual([made.status, made.words.join('')]);
    const pairs = got.rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, got.rawHeaders[at + 1]]] : []));
    const own = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);
    if (!made.kept.some(([name]) => name === 'Date')) own.add('date');
    expect(pairs.filter(([name]) => !own.has(String(name).toLowerCase()))).toEqual([
      ['Content-Type', made.type],
      ...made.kept,
      ...(made.type.startsWith('text/event-stream') ? [['X-Accel-Buffering', 'no']] : []),
    ]);
  });

  it('the caller gets its status, its headers but those of the hop, and its bytes; of a broken one never a clean end', () =>
    assert(property, { numRuns: 100 }));
});
