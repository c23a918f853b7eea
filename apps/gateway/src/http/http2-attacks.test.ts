import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Authority, createAuthority } from '@gateway/access/development-authority';
import { createTestDatabase, keyOf, type TestDatabase } from '@gateway/database/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { declareChat } from '../testing/declare-chat.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import {
  FLAG,
  FRAME,
  type Frame,
  field,
  frame,
  type Http2Peer,
  LAST_ADDED,
  number32,
  openHttp2,
  requestFields,
  setting,
} from '../testing/http2-frames.ts';
import { type GatewayProcess, startProcess } from '../testing/process.ts';

const CANCEL = number32(8);
const INITIAL_WINDOW = 4;

describe('HTTP/2 written to do harm', () => {
  let authority: Authority;
  let folder: string;
  let database: TestDatabase;
  let engine: Engine;
  let gateway: GatewayProcess;
  const peers: Http2Peer[] = [];
  const key = keyOf('caller');

  beforeAll(async () => {
    authority = createAuthority('authority of the service');
    folder = mkdtempSync(join(tmpdir(), 'gateway-http2-'));
    const { certificate, key: own } = authority.certify(['127.0.0.1']);
    mkdirSync(join(folder, 'work'));
    writeFileSync(join(folder, 'cert.pem'), certificate);
    writeFileSync(join(folder, 'key.pem'), own);
    [engine, database] = await Promise.all([startEngine(), createTestDatabase()]);
    await declareChat(database.sql, engine);
    gateway = await startProcess({
      DATABASE_URL: database.gatewayUrl,
      GATEWAY_STATE_DIR: join(folder, 'state'),
      GATEWAY_AGENT_LAUNCHER: 'process',
      GATEWAY_AGENT_WORKDIR: join(folder, 'work'),
      GATEWAY_UPSTREAM_IDLE_SECONDS: '1',
      TLS_CERT_FILE: join(folder, 'cert.pem'),
      TLS_KEY_FILE: join(folder, 'key.pem'),
    });
  });
  afterAll(async () => {
    gateway.signal('SIGTERM');
    expect(await gateway.ended).toBe(0);
    await engine.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await serves();
    for (const { socket } of peers.splice(0)) socket.destroy();
    expect(gateway.said()).not.toMatch(/^\s+at |uncaught|failed inside/im);
  });

  async function peer(settings: readonly Buffer[] = []): Promise<Http2Peer> {
    const opened = await openHttp2(gateway.port, authority.certificate, settings);
    peers.push(opened);
    return opened;
  }
  /** Somebody else on a connection of their own is served, while the attacker's is still there. */
  async function serves(): Promise<void> {
    const session = connectHttp2(`https://127.0.0.1:${gateway.port}`, { ca: authority.certificate });
    session.on('error', () => {});
    const stream = session.request({ ':method': 'POST', ':path': '/chat/x', 'x-api-key': key });
    stream.end('{}');
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    session.destroy();
    expect(headers[':status']).toBe(200);
  }

  it('half of a body on many streams times out after ten seconds, even if it trickles', async () => {
    const session = connectHttp2(`https://127.0.0.1:${gateway.port}`, { ca: authority.certificate });
    session.on('error', () => {});
    const answers = Array.from({ length: 40 }, async () => {
      const stream = session.request({ ':method': 'POST', ':path': '/_agent-execution/commands', 'x-api-key': key });
      stream.on('error', () => {});
      stream.write('{"session":');
      const trickle = setInterval(() => stream.write(' '), 200);
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      clearInterval(trickle);
      return headers[':status'];
    });
    expect(new Set(await Promise.all(answers))).toEqual(new Set([408]));
    session.destroy();
  });
  const ask = (path: string, stream: number, flags = FLAG.endHeaders | FLAG.endStream): Buffer =>
    frame(FRAME.headers, flags, stream, requestFields(path, key));
  const odd = (index: number): number => 2 * index + 1;

  it('thousands of streams opened and reset immediately (CVE-2023-44487) end the connection', async () => {
    const attacker = await peer();
    for (let index = 0; index < 20_000; index += 1) {
      attacker.write(ask('/chat/reset', odd(index)), frame(FRAME.reset, FLAG.none, odd(index), CANCEL));
      if (index % 500 === 0) await taken(attacker);
    }
    await expect(attacker.closed).resolves.toBeUndefined();
  });

  it('streams beyond the concurrency limit are refused, not queued', async () => {
    engine.on('/held', () => {});
    const attacker = await peer();
    for (let index = 0; index < 1000; index += 1) attacker.write(ask('/chat/held', odd(index)));
    const refused = (): boolean => attacker.frames.some(({ type }) => type === FRAME.reset || type === FRAME.goaway);
    await eventually(async () => expect(attacker.socket.destroyed || refused()).toBe(true));
    const held = (): number => engine.received.filter(({ url }) => url.endsWith('/held')).length;
    expect(held()).toBeLessThanOrEqual(256);
    attacker.socket.destroy();
    await eventually(async () =>
      Promise.all(engine.received.filter(({ url }) => url.endsWith('/held')).map(({ closed }) => closed)),
    );
  });

  it('one field of 4 kB named 50,000 times by its index is refused, and nothing leaves', async () => {
    const attacker = await peer();
    const before = engine.received.length;
    const bomb = Buffer.concat([
      requestFields('/chat/bomb', key),
      field('x-bomb', 'b'.repeat(4000), true),
      ...Array.from({ length: 12_000 }, () => LAST_ADDED),
    ]);
    attacker.write(frame(FRAME.headers, FLAG.endHeaders | FLAG.endStream, 1, bomb));
    const answered = (): boolean => attacker.frames.some(({ type, stream }) => stream === 1 || type === FRAME.goaway);
    await eventually(async () => expect(attacker.socket.destroyed || answered()).toBe(true));
    expect(engine.received.slice(before).filter(({ url }) => url.endsWith('/bomb'))).toEqual([]);
  });

  it('header fields that never end (CVE-2024-27983) end the connection', async () => {
    const attacker = await peer();
    attacker.write(frame(FRAME.headers, FLAG.none, 1, requestFields('/chat/endless', key)));
    const part = frame(FRAME.continuation, FLAG.none, 1, field('x-more', 'm'.repeat(8000)));
    const pour = (): void => {
      if (attacker.socket.writable) attacker.socket.write(part, pour);
    };
    pour();
    await expect(attacker.closed).resolves.toBeUndefined();
  });

  it('pings and settings without number from a peer that reads nothing end the connection', async () => {
    const attacker = await peer();
    attacker.socket.pause();
    const ping = Buffer.concat(Array.from({ length: 500 }, () => frame(FRAME.ping, FLAG.none, 0, Buffer.alloc(8))));
    const settings = Buffer.concat(Array.from({ length: 500 }, () => frame(FRAME.settings, FLAG.none, 0)));
    const pour = (): void => {
      if (attacker.socket.writable) attacker.socket.write(Buffer.concat([ping, settings]), pour);
    };
    pour();
    await expect(attacker.closed).resolves.toBeUndefined();
  });

  it('a peer that opens no window for its answer is cut off, and the provider with it', async () => {
    engine.on('/windowless', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${'x'.repeat(100_000)}\n\n`);
    });
    const attacker = await peer([setting(INITIAL_WINDOW, 0)]);
    const asked = engine.next('/windowless');
    attacker.write(ask('/chat/windowless', 1));
    const { closed } = await asked;
    await closed;
    const reset = ({ type, stream }: Frame): boolean => type === FRAME.reset && stream === 1;
    await eventually(async () => expect(attacker.frames.some(reset)).toBe(true));
    expect(attacker.frames.filter(({ type }) => type === FRAME.data)).toEqual([]);
  });

  it.each([
    ['a stream', 'text/event-stream', {}],
    ['an answer of chunks', 'application/json', {}],
    ['an answer of a length', 'application/json', { 'content-length': '500' }],
  ])('%s that the provider breaks off never ends, but is reset', async (name, type, more) => {
    const path = `/broken-${name.replaceAll(' ', '-')}`;
    engine.on(path, (_, response) => {
      response.writeHead(200, { 'content-type': type, ...more });
      response.write('data: {"choices":[]}\n\n', () => setTimeout(() => response.destroy(), 2));
    });
    const caller = await peer();
    const streams = Array.from({ length: 40 }, (_, index) => odd(index));
    for (const stream of streams) caller.write(ask(`/chat${path}`, stream));
    const reset = (stream: number): Frame | undefined =>
      caller.frames.find((one) => one.type === FRAME.reset && one.stream === stream);
    const mayEnd = ({ type: kind }: Frame): boolean => kind === FRAME.data || kind === FRAME.headers;
    const ended = (): Frame[] => caller.frames.filter((one) => mayEnd(one) && (one.flags & FLAG.endStream) !== 0);
    const over = (stream: number): boolean =>
      reset(stream) !== undefined || ended().some((one) => one.stream === stream);
    await eventually(async () => expect(streams.filter((stream) => !over(stream))).toEqual([]));
    expect(ended()).toEqual([]);
    expect(new Set(streams.map((stream) => reset(stream)?.payload.readUInt32BE()))).toEqual(new Set([2]));
  });

  it.each<[string, () => Buffer]>([
    ['data on a stream that is not open', () => frame(FRAME.data, FLAG.endStream, 99, Buffer.from('x'))],
    ['headers on an even stream', () => ask('/chat/even', 2)],
    ['a window beyond every bound', () => frame(FRAME.windowUpdate, FLAG.none, 0, number32(0x7fffffff))],
    ['a frame longer than was agreed', () => frame(FRAME.data, FLAG.none, 1, Buffer.alloc(100_000))],
    ['bytes that are no frames', () => Buffer.alloc(4096, 0xff)],
    ['HPACK that is none', () => frame(FRAME.headers, FLAG.endHeaders | FLAG.endStream, 1, Buffer.alloc(50, 0xff))],
  ])('%s ends that connection alone', async (_, bytes) => {
    const attacker = await peer();
    attacker.write(bytes());
    await expect(attacker.closed).resolves.toBeUndefined();
  });

  it.each<[string, readonly (readonly [string, string])[]]>([
    ['capitals in a name', [['X-Upper', 'a']]],
    ['a connection header', [['connection', 'close']]],
    ['a transfer coding', [['transfer-encoding', 'chunked']]],
    ['a second key', [['x-api-key', 'gwk_other']]],
    ['another host than the authority', [['host', 'other']]],
    [
      'two lengths',
      [
        ['content-length', '2'],
        ['content-length', '3'],
      ],
    ],
    ['a length that is not its body', [['content-length', '7']]],
    ['a path after the fields', [[':path', '/v']]],
  ])('%s never reaches a provider', async (name, more) => {
    const attacker = await peer();
    const path = `/${name.replaceAll(' ', '-')}`;
    const fields = Buffer.concat([
      requestFields(`/chat${path}`, key),
      ...more.map(([one, value]) => field(one, value)),
    ]);
    attacker.write(frame(FRAME.headers, FLAG.endHeaders, 1, fields));
    attacker.write(frame(FRAME.data, FLAG.endStream, 1, Buffer.from('{}')));
    const answered = (): boolean => attacker.frames.some(({ type, stream }) => stream === 1 || type === FRAME.goaway);
    await eventually(async () => expect(attacker.socket.destroyed || answered()).toBe(true));
    await serves();
    expect(engine.received.filter(({ url }) => url.endsWith(path))).toEqual([]);
  });

  it.each(['a\r\nx-admin: 1', 'a\nb', 'a\0b'])(
    'the value %j, which the parser drops, is in no request to a provider',
    async (value) => {
      const attacker = await peer();
      const before = engine.received.length;
      const fields = Buffer.concat([requestFields('/chat/dropped', key), field('x-split', value)]);
      attacker.write(frame(FRAME.headers, FLAG.endHeaders | FLAG.endStream, 1, fields));
      const answered = (): boolean => attacker.frames.some(({ type, stream }) => stream === 1 || type === FRAME.goaway);
      await eventually(async () => expect(attacker.socket.destroyed || answered()).toBe(true));
      for (const { rawHeaders } of engine.received.slice(before)) {
        expect(rawHeaders.join('|')).not.toMatch(/x-split|x-admin/i);
      }
    },
  );

  it('a host equal to the authority, or instead of it, is no second host', async () => {
    const session = connectHttp2(`https://127.0.0.1:${gateway.port}`, { ca: authority.certificate });
    const { host } = new URL(`https://127.0.0.1:${gateway.port}`);
    for (const named of [{ host }, { ':authority': host, host }]) {
      const stream = session.request({ ':method': 'POST', ':path': '/chat/x', 'x-api-key': key, ...named });
      stream.end('{}');
      const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
      expect(headers[':status']).toBe(200);
    }
    session.destroy();
  });

  /** Flushes the socket, so that the attack arrives as fast as it can be received. */
  async function taken(attacker: Http2Peer): Promise<void> {
    if (attacker.socket.writableNeedDrain)
      await Promise.race([once(attacker.socket, 'drain').catch(() => {}), attacker.closed]);
  }
});
