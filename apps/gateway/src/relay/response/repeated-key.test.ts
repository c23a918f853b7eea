import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { ask, HELLO } from '../../testing/caller.ts';
import { startRawEngine } from '../../testing/raw-engine.ts';
import { startWorld, type World } from '../../testing/world.ts';

const KEY = 'the-key-of-the-engine';
const STARS = '*'.repeat(KEY.length);

describe.each([
  ['hosted', undefined],
  ['restricted', onPremise],
])('an engine that repeats its key, %s profile', (_, profile) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ environment: { ENGINE_KEY: KEY }, ...(profile ? { profile } : {}) });
    await world.serve('keyed', { apiKeyEnv: 'ENGINE_KEY' });
  });
  afterAll(() => world.stop());

  const answered = async (status: number, headers: Record<string, string>, body: string | Buffer, request = HELLO) => {
    world.engine.on('/repeats', (_request, response) => response.writeHead(status, headers).end(body));
    return ask(world.port, '/keyed/repeats', { key: world.key, body: request });
  };

  it.each([
    ['application/json', 200, `{"key":"${KEY}","left":1}`],
    ['text/html', 500, `<pre>${KEY}</pre>`],
    ['application/octet-stream', 200, `\0${KEY}\x01`],
    ['application/x-ndjson', 200, `{"message":{"content":"${KEY}"}}\n`],
    ['text/event-stream', 200, `data: {"choices":[{"delta":{"content":"${KEY}"}}]}\n\ndata: [DONE]\n\n`],
  ])('in a body of %s shows asterisks, and the rest', async (type, status, body) => {
    const answer = await answered(status, { 'content-type': type, 'content-length': `${body.length}` }, body);
    expect([answer.status, answer.text]).toEqual([status, body.replace(KEY, STARS)]);
    expect(world.reports.join('\n')).toContain('repeated its own key in an answer');
    expect(world.reports.join('\n')).not.toContain(KEY);
  });

  it('in lines that are announced with a length keeps the length true', async () => {
    const [head, tail] = [KEY.slice(0, 9), KEY.slice(9)];
    const lines = [`caf\\u00e9 ${head}`, `${tail} /\\/`].map(
      (content) => `{"message":{"content":"${content}"},"done":false}\n`,
    );
    const headers = { 'content-type': 'application/x-ndjson', 'content-length': `${lines.join('').length}` };
    const answer = await answered(200, headers, lines.join(''));
    expect(answer.text).not.toContain(tail);
    expect(answer.headers['content-length']).toBe(`${answer.body.length}`);
  });

  it('in a compressed body shows asterisks', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await answered(200, headers, gzipSync(`{"key":"${KEY}"}`))).json).toEqual({ key: STARS });
  });

  it('in headers shows asterisks', async () => {
    const answer = await answered(200, { 'x-debug': `key=${KEY}`, 'content-type': 'application/json' }, '{}');
    expect([answer.status, answer.headers['x-debug']]).toEqual([200, `key=${STARS}`]);
  });

  it('in what a sentence of the gateway quotes shows asterisks', async () => {
    const answer = await answered(200, { 'content-encoding': KEY, 'content-type': 'application/json' }, '{}');
    expect([answer.status, answer.json]).toEqual([
      502,
      { error: `The provider's answer could not be decoded: its content-encoding (${STARS}) is not known here.` },
    ]);
  });

  it('in its status line shows asterisks', async () => {
    const engine = await startRawEngine((socket) =>
      socket.write(`HTTP/1.1 200 ${KEY}\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n{}`),
    );
    await world.serve('raw', { baseUrl: engine.url, apiKeyEnv: 'ENGINE_KEY' });
    const { status, rawHeaders, text } = await ask(world.port, '/raw/x', { key: world.key });
    await engine.stop();
    expect([status, text, rawHeaders.join().includes(KEY)]).toEqual([200, '{}', false]);
  });

  it('cannot answer in the name of the gateway', async () => {
    const headers = { 'x-gateway-session-standing': 'revoked', 'X-Gateway-Other': '1', 'x-engine': 'kept' };
    const answer = await answered(403, headers, '{}');
    expect(answer.headers).toMatchObject({ 'x-engine': 'kept' });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-gateway'))).toEqual([]);
  });
});
