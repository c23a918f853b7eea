import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from './connection.ts';
import { type Job, requestBytes } from './job.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

let seen: Seen[] = [];
async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  seen.push({ method, url, headers, body: await text(request) });
  response.end('{}');
}
const server = createServer((request, response) => {
  take(request, response).catch(() => response.destroy());
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

async function sent(answer: Job['answer'], headers: Record<string, string> = {}): Promise<Seen> {
  const { port } = server.address() as AddressInfo;
  seen = [];
  const connection = await Connection.open(
    port,
    requestBytes({ port, path: '/a/v1/chat/completions', headers }, answer),
  );
  await connection.exchange();
  await connection.exchange();
  connection.close();
  expect(seen).toHaveLength(2);
  expect(seen[1]).toEqual(seen[0]);
  return seen[0] as Seen;
}

describe('the call that is measured', () => {
  it('is a chat completion of about 1 kB, which an HTTP server reads to its end', async () => {
    const { method, url, headers, body } = await sent('plain');
    expect([method, url, headers['content-type']]).toEqual(['POST', '/a/v1/chat/completions', 'application/json']);
    expect(JSON.parse(body)).toMatchObject({ messages: [{ role: 'user' }] });
    expect(body.length).toBeGreaterThan(800);
    expect(body.length).toBeLessThan(1200);
  });

  it('brings the headers of its target, which come before its own', async () => {
    const { headers } = await sent('plain', { authorization: 'Bearer key', 'user-agent': 'other/2' });
    expect(headers).toMatchObject({ authorization: 'Bearer key', 'user-agent': 'other/2', accept: '*/*' });
  });

  it.each([
    ['plain', { stream: undefined, paced: undefined }],
    ['burst', { stream: true, paced: undefined }],
    ['paced', { stream: true, paced: true }],
  ] as const)('asks for a %s answer', async (answer, wanted) => {
    const { stream, paced } = JSON.parse((await sent(answer)).body) as { stream?: boolean; paced?: boolean };
    expect({ stream, paced }).toEqual(wanted);
  });
});
