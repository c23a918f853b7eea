import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, raw } from '../../testing/caller.ts';
import { COMPLETION, type EngineAnswer } from '../../testing/engine.ts';
import { startWorld, type World } from '../../testing/world.ts';

const answering =
  (status: number, headers: Record<string, string>, body: string | Buffer): EngineAnswer =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

describe('relayed answers', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  const call = (path: string, more: Parameters<typeof ask>[2] = {}) =>
    ask(world.port, path, { key: world.key, ...more });

  it('are returned unchanged', async () => {
    world.engine.on('/teapot', (_, response) => {
      response.writeHead(418, 'Short And Stout', [
        ['Content-Type', 'text/x-test'],
        ['Retry-After', '7'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
        ['Connection', 'X-Hop'],
        ['X-Hop', 'gone'],
      ]);
      response.end('body');
    });
    const answer = await call('/chat/teapot');
    expect(answer).toMatchObject({ status: 418, text: 'body' });
    expect(answer.headers).toMatchObject({ 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'], 'content-length': '4' });
    expect(answer.headers['x-hop']).toBeUndefined();
    expect(answer.rawHeaders).toContain('Retry-After');
  });
  it('keep their length when plain', async () => {
    world.engine.on('/length', answering(200, { 'content-length': '13' }, '{"hello": 1 }'));
    expect((await call('/chat/length')).headers['content-length']).toBe('13');
  });
  it.each([400, 401, 402, 403, 404, 429, 500, 502, 503])('with status %i are relayed untouched', async (status) => {
    const body = `{"error":{"code":${status},  "message":"from the engine"}}`;
    world.engine.on(`/says-${status}`, answering(status, { 'www-authenticate': 'Engine' }, body));
    const answer = await call(`/chat/says-${status}`);
    expect([answer.status, answer.text, answer.headers['www-authenticate']]).toEqual([status, body, 'Engine']);
  });
  // relay-16
  it('that redirect are relayed, never followed', async () => {
    world.engine.on('/away', answering(302, { location: 'http://169.254.169.254/latest/meta-data' }, ''));
    const answer = await call('/chat/away');
    expect([answer.status, answer.headers['location']]).toEqual([302, 'http://169.254.169.254/latest/meta-data']);
  });
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('compressed with %s are decoded', async (coding, compress) => {
    const text = JSON.stringify({ text: 'well '.repeat(5000) });
    world.engine.on('/zipped', answering(200, { 'content-encoding': coding }, compress(text)));
    const answer = await call('/chat/zipped');
    expect(answer.text).toBe(text);
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.headers['content-length']).toBe(String(text.length));
  });
  it.each([
    ['gzip, br', brotliCompressSync(gzipSync('text'))],
    ['deflate, gzip', gzipSync(deflateSync('text'))],
    ['deflate, br', brotliCompressSync(deflateRawSync('text'))],
    ['deflate, deflate', deflateSync(deflateRawSync('text'))],
    ['deflate, deflate', deflateRawSync(deflateSync('text'))],
  ])('compressed twice (%s) are decoded twice', async (coding, body) => {
    world.engine.on('/twice', answering(200, { 'content-encoding': coding }, body));
    expect((await call('/chat/twice')).text).toBe('text');
  });
  it.each([
    ['an unknown coding', 'compress', Buffer.from('x')],
    ['too many codings', 'gzip, gzip, gzip, gzip, gzip', gzipSync('x')],
    ['bytes that do not match their coding', 'gzip', Buffer.from('not gzip at all')],
    ['bytes cut short', 'gzip', gzipSync('x'.repeat(1000)).subarray(0, 20)],
  ])('with %s are a 502', async (_, coding, body) => {
    world.engine.on('/undecodable', answering(200, { 'content-encoding': coding }, body));
    const { status, json } = await call('/chat/undecodable');
    expect(status).toBe(502);
    expect(json).toEqual({ error: expect.stringMatching(/^The provider's answer could not be decoded: /) });
  });
  it.each([204, 304])('of status %i have no body and no stray length', async (status) => {
    world.engine.on(`/none-${status}`, answering(status, { etag: '"x"' }, ''));
    const answer = await call(`/chat/none-${status}`);
    expect([answer.status, answer.text, answer.headers['etag']]).toEqual([status, '', '"x"']);
    expect(answer.headers['transfer-encoding']).toBeUndefined();
  });
  it('to HEAD keep their length without a body', async () => {
    world.engine.on('/head', answering(200, { 'content-length': '1234' }, ''));
    const answer = await call('/chat/head', { method: 'HEAD' });
    expect([answer.status, answer.headers['content-length'], answer.text]).toEqual([200, '1234', '']);
  });
  it('may begin with early hints', async () => {
    world.engine.on('/hints', (_, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' }, () => {
        response.writeHead(200);
        response.end('after the hint');
      });
    });
    const text = await raw(
      world.port,
      `GET /chat/hints HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${world.key}\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(
      /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/style\.css>.*HTTP\/1\.1 200 OK\r\n.*after the hint$/is,
    );
  });
  it('reach a caller of HTTP/1.0', async () => {
    const text = await raw(world.port, `POST /chat/x HTTP/1.0\r\nAuthorization: Bearer ${world.key}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toContain(JSON.stringify(COMPLETION));
    expect(text).not.toMatch(/transfer-encoding/i);
  });
  it('follow each other on one connection', async () => {
    const one = `POST /chat/x HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${world.key}\r\nContent-Length: 2\r\n`;
    const text = await raw(world.port, `${one}\r\n{}${one}Connection: close\r\n\r\n{}`);
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });
});
