import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BodyBudget, readBody } from './body.ts';
import { createHttpServer } from './create-server.ts';
import { readHead } from './head.ts';

const MOST = 10_000;
let http: Server;
let budget: BodyBudget;
let deadlineMs: number;
let sockets: Socket[];
/** Called for each body that was requested. */
let read: (outcome: Awaited<ReturnType<typeof readBody>>) => void;

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const head = readHead(request);
  if ('code' in head) throw new Error(head.code);
  const outcome = await readBody(request, response, head, { most: MOST, budget, deadlineMs });
  read(outcome);
  response.end(outcome === null ? '' : 'code' in outcome ? outcome.code : String(outcome.bytes.length));
}

/** Sends a request whose body is as given, and what it is read as. */
async function send(headers: string, ...chunks: readonly (string | Buffer)[]) {
  const outcome = new Promise<Awaited<ReturnType<typeof readBody>>>((resolve) => {
    read = resolve;
  });
  const socket = connect((http.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  socket.write(`POST / HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n`);
  for (const chunk of chunks) socket.write(chunk);
  return { socket, outcome };
}

beforeEach(async () => {
  sockets = [];
  deadlineMs = 60_000;
  budget = new BodyBudget(2 * MOST, () => {});
  http = createHttpServer((request, response) => void serve(request, response), { requestTimeout: 60_000, tls: null });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  http.close();
});

it.each([
  ['announced', `Content-Length: ${MOST}`, ['a'.repeat(MOST)]],
  ['chunked', 'Transfer-Encoding: chunked', [`${MOST.toString(16)}\r\n${'a'.repeat(MOST)}\r\n0\r\n\r\n`]],
  ['sent byte by byte', 'Transfer-Encoding: chunked', ['1\r\na\r\n'.repeat(MOST), '0\r\n\r\n']],
])('a body that is %s is complete, and counted only while it is in memory', async (_, headers, chunks) => {
  const { outcome } = await send(headers, ...chunks);
  const body = await outcome;
  if (body === null || 'code' in body) throw new Error(String(body?.code));
  expect(body.bytes.toString()).toBe('a'.repeat(MOST));
  expect(budget.used).toBe(MOST);
  body.release();
  expect(budget.used).toBe(0);
});

it.each([
  ['announced', `Content-Length: ${MOST + 1}`, ''],
  ['sent', 'Transfer-Encoding: chunked', `${(MOST + 1).toString(16)}\r\n${'a'.repeat(MOST + 1)}\r\n`],
])('a body above the limit is refused as soon as it is %s', async (_, headers, body) => {
  const { outcome } = await send(headers, body);
  expect(await outcome).toMatchObject({ code: 'body-too-large', details: { bytes: String(MOST) } });
  expect(budget.used).toBe(0);
});

// limits-4
it('a body that does not arrive within its deadline is refused, even if it trickles, and its memory is released', async () => {
  deadlineMs = 50;
  const { socket, outcome } = await send('Content-Length: 1000', 'a');
  const trickle = setInterval(() => socket.write('a'), 5);
  socket.on('close', () => clearInterval(trickle));
  expect(await outcome).toMatchObject({ code: 'request-too-slow' });
  clearInterval(trickle);
  expect(budget.used).toBe(0);
});

it('a body past the budget is refused with 503, and others are read once there is room again', async () => {
  const holder = budget.open();
  holder.take(2 * MOST - 10);
  const { outcome } = await send('Content-Length: 100', 'a'.repeat(100));
  expect(await outcome).toMatchObject({ code: 'bodies-full', headers: { 'retry-after': '1' } });
  holder.release();
  const { outcome: next } = await send('Content-Length: 100', 'a'.repeat(100));
  expect(await next).toHaveProperty('bytes.length', 100);
});

it('a caller who leaves during its body releases its memory', async () => {
  const { socket, outcome } = await send('Content-Length: 1000', 'a');
  await expect.poll(() => budget.used).toBe(1000);
  socket.destroy();
  expect(await outcome).toBeNull();
  expect(budget.used).toBe(0);
});
