import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Asked, ask } from '../testing/caller.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { startWorld, type World } from '../testing/world.ts';

/** First providers that a call never reaches. */
const UNREACHED = ['refused', 'unnamed', 'garbled', 'silent', 'unaccepted'] as const;
/** What a provider that is reached does with a call. */
/** Endpoints with the faulty provider, under a slug each: one that is skipped is not reached. */
const FAULTY = Array.from({ length: 12 }, (_, nth) => `faulty-${nth}`);
const FAULTS = ['answer', 'reset', 'status', 'slow', 'close', 'half'] as const;

interface Call {
  readonly first: string;
  readonly fault: (typeof FAULTS)[number];
  /** Bytes of the request that a faulty provider reads before its fault. */
  readonly after: number;
  readonly size: number;
}

let world: World;
let second: Engine;
let key = '';
const servers: Server[] = [];
const sockets = new Set<Socket>();
/** Calls of which the faulty provider read a byte. */
const reached = new Map<number, number>();
let blocked: ChildProcess;
let faulty: Server;

async function listen(take: (socket: Socket) => void): Promise<Server> {
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    take(socket);
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A port that takes no connection: its process never accepts, and its queue is full. */
async function listenWithoutAccepting(): Promise<number> {
  const code = `const server = require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    require('fs').writeSync(1, String(server.address().port));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;
  blocked = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text] = (await once(blocked.stdout!, 'data')) as [Buffer];
  const port = Number(text);
  for (let isTaken = true; isTaken; ) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    sockets.add(socket);
    isTaken = await Promise.race([once(socket, 'connect').then(() => true), pause(300).then(() => false)]);
  }
  return port;
}

/** A provider with the fault that the call's headers name, after as many bytes; connections stay open where they can. */
function behave(socket: Socket): void {
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
    const [, nth, fault, after] = /x-call: (\d+) (\w+) (\d+)/.exec(text) ?? [];
    if (nth === undefined) return;
    reached.set(Number(nth), 1);
    const end = text.indexOf('\r\n\r\n') + 4;
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    const isWhole = end >= 4 && text.length >= end + length;
    if (!isWhole && text.length < Number(after)) return;
    if (fault === 'reset') socket.resetAndDestroy();
    else if (fault === 'close') socket.end();
    if (!isWhole || fault === 'reset' || fault === 'close') return;
    text = text.slice(end + length);
    const body = '{"from":"first"}';
    const head = `HTTP/1.1 ${fault === 'status' ? '503 Busy' : '200 OK'}\r\ncontent-length: ${body.length}\r\n\r\n`;
    if (fault === 'half') socket.end(head + body.slice(4));
    else if (fault === 'slow') setTimeout(() => socket.write(head + body), 300);
    else socket.write(head + body);
  });
}

beforeAll(async () => {
  world = await startWorld();
  key = await world.account('many');
  second = await startEngine();
  faulty = await listen(behave);
  const urls: Readonly<Record<string, string>> = {
    refused: 'http://127.0.0.1:1',
    unnamed: 'http://nowhere.invalid',
    garbled: `https://127.0.0.1:${portOf(await listen((socket) => socket.end('no TLS here')))}`,
    silent: `https://127.0.0.1:${portOf(await listen(() => {}))}`,
    unaccepted: `http://127.0.0.1:${await listenWithoutAccepting()}`,
    ...Object.fromEntries(FAULTY.map((name) => [name, `http://127.0.0.1:${portOf(faulty)}`])),
  };
  const { declare } = world;
  const standby = await declare.model(await declare.provider('second', { baseUrl: second.url }), 'second-model');
  for (const [name, baseUrl] of Object.entries(urls)) {
    const model = await declare.model(await declare.provider(name, { baseUrl }), 'first-model');
    await declare.endpoint(name, model, true, standby);
  }
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  blocked.kill('SIGKILL');
  await second.stop();
  await world.stop();
});

const call: fc.Arbitrary<Call> = fc.record({
  first: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...FAULTY) }, fc.constantFrom(...UNREACHED)),
  fault: fc.constantFrom(...FAULTS),
  after: fc.oneof(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 40_000 })),
  size: fc.constantFrom(0, 100, 40_000),
});

let calls = 0;

/** Makes the calls in a few lanes, so that connections are used again. @returns each call, its number and its answer */
async function make(all: readonly Call[]) {
  const waiting = all.map((one) => ({ ...one, nth: (calls += 1) }));
  const made: { readonly call: Call; readonly nth: number; readonly answer: Asked | null }[] = [];
  const lane = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const headers = { 'x-call': `${one.nth} ${one.fault} ${one.after}`, 'x-request-id': `call-${one.nth}` };
      const body = { messages: [{ role: 'user', content: 'x'.repeat(one.size) }] };
      // Null: it ended before it was whole.
      const answer = await ask(world.port, `/${one.first}/chat`, { key, headers, body }).catch(() => null);
      made.push({ call: one, nth: one.nth, answer });
    }
  };
  await Promise.all(Array.from({ length: 6 }, lane));
  return made;
}

/** The faulty provider refuses connections now and then, and resets those it has at any time. */
async function disturb(signal: AbortSignal): Promise<void> {
  const port = portOf(faulty);
  const move = (name: string, to: number) =>
    world.database.sql`update providers set base_url = ${`http://127.0.0.1:${to}`} where slug = ${name}`;
  for (let nth = 0; !signal.aborted; nth += 1) {
    const name = FAULTY[nth % FAULTY.length] ?? '';
    await move(name, 1);
    for (const socket of [...sockets].slice(-2)) if (socket.localPort === port) socket.resetAndDestroy();
    await pause(20);
    await move(name, port);
  }
}

it('no call reaches two engines, whatever fails and when (relay-41)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 60, maxLength: 60 }), async (all) => {
      const ended = new AbortController();
      const disturbing = disturb(ended.signal);
      const made = await make(all).finally(() => ended.abort());
      await disturbing;
      for (const { call: one, nth, answer } of made) {
        const sent = second.received.filter(({ headers }) => String(headers['x-call']).startsWith(`${nth} `));
        const engines = (reached.get(nth) ?? 0) + sent.length;
        expect([one, engines <= 1], 'engines').toEqual([one, true]);
        const reasons = (await world.entries(`call-${nth}`)).map(({ reason }) => reason);
        // Each attempt has its entry, and the standby's is there where it was reached.
        expect([one, reasons.includes('standby')]).toEqual([one, sent.length === 1]);
        if (sent[0] === undefined) continue;
        expect(JSON.parse(String(sent[0].body))).toEqual({
          messages: [{ role: 'user', content: 'x'.repeat(one.size) }],
          model: 'second-model',
        });
        expect(answer).toMatchObject({ status: 200, json: { id: 'chatcmpl-1' } });
      }
      const unreached = made.filter(({ call: { first } }) => !FAULTY.includes(first));
      expect(unreached.map(({ answer }) => answer?.status)).toEqual(unreached.map(() => 200));
      // Both kinds occur, or nothing was tested.
      expect([reached.size > 10, unreached.length > 5]).toEqual([true, true]);
    }),
    { numRuns: 2, endOnFailure: true },
  );
}, 120_000);
