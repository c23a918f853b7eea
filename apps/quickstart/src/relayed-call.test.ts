import { once } from 'node:events';
import { createServer as createPlainServer, type IncomingMessage, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@gateway/access/development-authority';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { relayOneCall } from './relayed-call.ts';

it('a gateway whose certificate is not trusted here ends nothing: the missing answer is explained', async () => {
  const { certificate, key } = createAuthority('of somebody else').certify(['127.0.0.1']);
  const server = createServer({ cert: certificate, key }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = await relayOneCall(`https://127.0.0.1:${port}`, 'demo', 'gwk_x', 'postgres://nobody@127.0.0.1:1/none');
  expect(call).toEqual({ status: null, answer: expect.stringMatching(/certificate/), decision: null });
  server.close();
});

describe('the first call', () => {
  let database: TestDatabase;
  let server: Server;
  let gateway: string;
  let answer: { readonly status: number; readonly text: string; readonly isCut?: true };
  let asked: { readonly request: IncomingMessage; readonly body: string }[];
  beforeAll(async () => {
    database = await createTestDatabase();
    asked = [];
    server = createPlainServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      request.once('end', () => {
        asked.push({ request, body });
        response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': answer.text.length });
        if (answer.isCut) response.write(answer.text.slice(0, 1), () => response.destroy());
        else response.end(answer.text);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await database.drop();
  });
  const call = () => relayOneCall(gateway, 'demo', 'gwk_key', database.ownerUrl);

  it.each([
    ['what the engine said', { choices: [{ message: { content: 'Hello.' } }] }, 'Hello.'],
    ['an empty text', { choices: [{ message: { content: '' } }] }, ''],
    ['the sentence of a refusal', { error: 'The model is unknown.' }, 'The model is unknown.'],
  ])('shows %s', async (_what, body, shown) => {
    answer = { status: 200, text: JSON.stringify(body) };
    expect(await call()).toEqual({ status: 200, answer: shown, decision: null });
  });

  it.each([
    ['a message without text', '{"choices":[{"message":{"content":null,"tool_calls":[]}}]}'],
    ['a message in parts', '{"choices":[{"message":{"content":[{"type":"text","text":"x"}]}}]}'],
    ['no choice', '{"choices":[]}'],
    ['choices of another kind', '{"choices":{"0":1}}'],
    ['an error as an object', '{"error":{"message":"no"}}'],
    ['null', 'null'],
    ['a list', '[1]'],
    ['no JSON', '<html>Bad gateway</html>'],
    ['nothing', ''],
  ])('shows an answer with %s as it came', async (_what, text) => {
    answer = { status: 502, text };
    expect(await call()).toEqual({ status: 502, answer: text, decision: null });
  });

  it('that is broken off is explained, and ends nothing', async () => {
    answer = { status: 200, text: '{"choices":[]}', isCut: true };
    expect(await call()).toEqual({ status: null, answer: expect.any(String), decision: null });
  });

  it('to a gateway that is not there is explained, and ends nothing', async () => {
    const closed = createPlainServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const outcome = await relayOneCall(`http://127.0.0.1:${port}`, 'demo', 'gwk_key', database.ownerUrl);
    expect(outcome).toEqual({ status: null, answer: expect.stringContaining('ECONNREFUSED'), decision: null });
  });

  it('is made as a client makes it, each with its own request identifier', () => {
    const identifiers = asked.map(({ request: { headers } }) => headers['x-request-id']);
    expect(new Set(identifiers).size).toBe(asked.length);
    expect(asked[0]?.request.headers.authorization).toBe('Bearer gwk_key');
    expect(asked[0]?.request.url).toBe('/demo/v1/chat/completions');
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ model: 'demo', messages: [{ role: 'user' }] });
  });
});
