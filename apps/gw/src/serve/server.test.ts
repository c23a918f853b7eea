import * as http from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent, AgentSession } from '../agent/types/index.ts';
import type { Conversation } from './conversation.ts';
import { type Listening, listen } from './server.ts';

const TOKEN = 'token-of-the-tests';
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` };

let listeners: ((event: AgentEvent) => void)[];
let sent: string[];
let server: Listening;
let diff: () => Promise<string | null>;

beforeEach(async () => {
  [listeners, sent, diff] = [[], [], async () => 'a diff'];
  const conversation = {
    isProcessing: false,
    queueLength: 0,
    pending: null,
    send: (message: string) => sent.push(message) - 1,
    approve: (id: string) => id === 'known',
    pause: () => sent.push('paused'),
    end: () => sent.push('ended'),
  } as unknown as Conversation;
  const session = {
    state: { id: 'the-session', messages: [] },
    mode: 'normal',
    subscribe(listener: (event: AgentEvent) => void) {
      listeners.push(listener);
      return () => void (listeners = listeners.filter((one) => one !== listener));
    },
  } as unknown as AgentSession;
  server = await listen({ host: '127.0.0.1', port: 0, token: TOKEN, conversation, session, diff: () => diff() });
});
afterEach(() => server.close());

interface Got {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: unknown;
}

/** A request with exactly these headers. */
function ask(method: string, path: string, headers: http.OutgoingHttpHeaders = AUTHORIZATION, body = ''): Promise<Got> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${server.url}${path}`, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) as unknown }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

describe('access to a served session', () => {
  it.each([
    ['no token', {}],
    ['another token', { authorization: 'Bearer other' }],
    ['a part of the token', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['a longer token', { authorization: `Bearer ${TOKEN}x` }],
    ['the token alone', { authorization: TOKEN }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['two tokens', { authorization: `Bearer other, Bearer ${TOKEN}` }],
  ])('is refused with 401 for %s', async (_, headers) => {
    for (const path of ['/state', '/events', '/absent']) {
      const { status, headers: got, body } = await ask('GET', path, headers);
      expect([status, got['www-authenticate'], body]).toEqual([401, 'Bearer', { error: expect.any(String) }]);
    }
    await ask('POST', '/message', headers, '{"message":"x"}');
    expect(sent).toEqual([]);
  });

  it.each([
    ['evil.example', {}],
    ['127.0.0.1.evil.example', {}],
    ['localhost.evil.example:80', {}],
    ['127.0.0.1@evil.example', {}],
    ['[::2]', {}],
    ['127.0.0.1', { origin: 'http://127.0.0.1' }],
    ['127.0.0.1', { origin: 'null' }],
  ])('is refused with 403 for the Host %s with %j, with the right token too', async (host, more) => {
    expect(await ask('GET', '/state', { ...AUTHORIZATION, host, ...more })).toMatchObject({ status: 403 });
  });

  it.each(['localhost', 'LOCALHOST:4000', '127.0.0.1:1', '[::1]:80'])('is open for the Host %s', async (host) => {
    expect(await ask('GET', '/state', { ...AUTHORIZATION, host })).toMatchObject({ status: 200 });
  });

  it('takes the scheme in any case, and forbids to store the answer', async () => {
    const { status, headers } = await ask('GET', '/state', { authorization: `bearer ${TOKEN}` });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  });
});

describe('a request to a served session', () => {
  it.each([
    ['GET', '/absent', 404],
    ['GET', '/', 404],
    ['GET', '/state/', 404],
    ['GET', '//state', 404],
    ['POST', '/state', 405],
    ['GET', '/message', 405],
    ['POST', '/events', 405],
    ['GET', '/state?x=1', 200],
  ])('%s %s is answered with %i', async (method, path, status) => {
    expect(await ask(method, path)).toMatchObject({ status, headers: { 'content-type': /json/ } });
  });

  it.each(['', 'text', 'null', '[]', '"x"', '{}', '{"message":1}', '{"message":" \\n"}', '{"message":null}'])(
    'without a text is refused with 400: %s',
    async (body) => {
      expect(await ask('POST', '/message', AUTHORIZATION, body)).toMatchObject({ status: 400 });
      expect(sent).toEqual([]);
    },
  );

  it('queues a text in any language, as it is', async () => {
    const message = ' Grüße 🔑\r\n\u2028 ';
    const { body } = await ask('POST', '/message', AUTHORIZATION, JSON.stringify({ message }));
    expect([body, sent]).toEqual([{ queued: true, position: 0 }, [message]]);
  });

  it('with a body above 1 MiB is refused with 413, and the server goes on', async () => {
    const message = 'x'.repeat(2 * 1024 * 1024);
    expect(await ask('POST', '/message', AUTHORIZATION, JSON.stringify({ message }))).toMatchObject({ status: 413 });
    expect(await ask('GET', '/state')).toMatchObject({ status: 200 });
    expect(sent).toEqual([]);
  });

  it.each([
    ['{"requestId":"known","approved":true}', 200],
    ['{"requestId":"unknown","approved":true}', 404],
    ['{"requestId":"known","approved":"true"}', 400],
    ['{"requestId":"known"}', 400],
  ])('approves a call only with a known identifier and a boolean: %s', async (body, status) => {
    expect(await ask('POST', '/permission', AUTHORIZATION, body)).toMatchObject({ status });
  });

  it('whose handler fails is answered with 500, without the reason', async () => {
    diff = async () => Promise.reject(new Error('a path: /home/casey'));
    expect(await ask('GET', '/diff')).toMatchObject({
      status: 500,
      body: { error: 'The request could not be handled.' },
    });
    diff = async () => null;
    expect(await ask('GET', '/diff')).toMatchObject({ status: 409 });
  });

  it('to exit is answered before the session ends', async () => {
    expect(await ask('POST', '/exit')).toMatchObject({ status: 200, body: { exiting: true } });
    expect(sent).toEqual(['ended']);
  });
});

describe('the stream of events', () => {
  /** The stream, once it is ready. */
  const opened = () =>
    new Promise<{ readonly response: http.IncomingMessage; readonly text: () => string }>((resolve, reject) => {
      const request = http.get(`${server.url}/events`, { headers: AUTHORIZATION, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
          resolve({ response, text: () => text });
        });
        response.on('error', () => undefined);
      });
      request.on('error', reject);
    });

  it('has every event of the session, one a line', async () => {
    const { text } = await opened();
    for (const listener of listeners) listener({ type: 'text', text: 'two\nlines 🔑' });
    await expect.poll(text).toBe(': ready\n\nevent: text\ndata: {"type":"text","text":"two\\nlines 🔑"}\n\n');
  });

  it('is left when the reader leaves, and ends with the server', async () => {
    const { response } = await opened();
    await opened();
    expect(listeners).toHaveLength(2);
    response.destroy();
    await expect.poll(() => listeners.length).toBe(1);
    await server.close();
    await expect.poll(() => listeners.length).toBe(0);
  });

  it('is closed for a reader that does not keep up', async () => {
    const { response } = await opened();
    response.pause();
    for (let at = 0; at < 10; at += 1) listeners[0]?.({ type: 'text', text: 'x'.repeat(2 ** 20) });
    await expect.poll(() => listeners.length).toBe(0);
  });
});

it('a port that is in use is named', async () => {
  const options = { host: '127.0.0.1', port: server.port, token: TOKEN, diff } as Parameters<typeof listen>[0];
  await expect(listen(options)).rejects.toThrow(`Port ${server.port} is in use. Choose another one with --port.`);
});
