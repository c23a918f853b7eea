import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, HELLO, raw } from '../../testing/caller.ts';
import { COMPLETION, type EngineAnswer } from '../../testing/engine.ts';
import { startWorld, type World } from '../../testing/world.ts';

const answering =
  (status: number, headers: Record<string, string>, body: string | Buffer): EngineAnswer =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };

describe('the relay rules', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    await world.serve('custom', { apiKeyEnv: 'ENGINE_KEY', apiKeyHeader: 'x-engine-key' });
    await world.serve('default', { apiKeyEnv: 'ENGINE_KEY' });
    await world.serve('same', { apiKeyEnv: 'ENGINE_KEY', apiKeyHeader: 'X-Api-Key' });
    await world.serve('absent', { apiKeyEnv: 'NO_SUCH_KEY' });
    await world.serve('own', { apiKeyEnv: 'DATABASE_URL' });
    await world.serve('bare', { baseUrl: world.engine.url });
    await world.serve('slash', { baseUrl: `${world.engine.url}/base/` });
    await world.serve('odd', { baseUrl: `${world.engine.url}/a b` });
  });
  afterAll(() => world.stop());

  const call = (path: string, more: Parameters<typeof ask>[2] = {}) =>
    ask(world.port, path, { key: world.key, ...more });
  const last = () => world.engine.received.at(-1)!;

  describe('addressing', () => {
    it.each([
      ['/chat/v1/chat/completions', '/base/v1/chat/completions'],
      ['/chat/chat/v1/chat', '/base/chat/v1/chat'],
      ['/chat', '/base'],
      ['/chat/', '/base/'],
      ['/chat?a=1', '/base?a=1'],
      ['/chat/q?a=1&b=%20&a=2&&c', '/base/q?a=1&b=%20&a=2&&c'],
      ['/chat/q?redirect=http://evil/%23', '/base/q?redirect=http://evil/%23'],
      ["/chat/a//b/%2F/%41/%7e/;x=1,'(!)/bytes", "/base/a//b/%2F/%41/%7e/;x=1,'(!)/bytes"],
      ['/chat/../../x/./y', '/base/../../x/./y'],
      ['/chat//evil.example/x', '/base//evil.example/x'],
      ['/chat/@evil.example', '/base/@evil.example'],
      ['/bare', '/'],
      ['/bare?x', '/?x'],
      ['/bare//evil.example/x', '//evil.example/x'],
      ['/slash/x', '/base//x'],
      // relay-2, relay-5
    ])('%s leaves as %s', async (path, url) => {
      expect((await call(path)).status).toBe(200);
      expect(last().url).toBe(url);
      expect(last().headers.host).toBe(new URL(world.engine.url).host);
    });

    it('refuses bytes that a target cannot contain', async () => {
      const text = await raw(
        world.port,
        `GET /chat/\xe9\xff HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${world.key}\r\nConnection: close\r\n\r\n`,
      );
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
    });

    it.each(['/', '//', '//chat/v1', '/?x=1', '///'])('%s carries no first segment', async (path) => {
      for (const key of [world.key, '']) {
        const { status, headers, json } = await ask(world.port, path, key === '' ? {} : { key });
        expect({ status, type: headers['content-type'], json }).toEqual({
          status: 404,
          type: 'text/plain; charset=utf-8',
          json: undefined,
        });
      }
    });

    it('lists the endpoints where the name is unknown', async () => {
      const { status, json } = await call('/nowhere/x');
      expect(status).toBe(404);
      expect(json).toEqual({
        error: 'Unknown endpoint: nowhere',
        available: ['absent', 'bare', 'chat', 'custom', 'default', 'odd', 'own', 'same', 'slash'],
      });
    });

    // relay-1
    it('relays every method, with and without a body', async () => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']) {
        const { status } = await call(`/chat/m-${method}`, { method });
        expect({ method, status }).toEqual({ method, status: 200 });
        expect(last().method).toBe(method);
      }
      await call('/chat/delete', { method: 'DELETE', body: '{"model":"x"}' });
      expect(last().body.toString()).toBe('{"model":"served-model"}');
    });

    it('does not connect to an invalid Base URL', async () => {
      const { status, json } = await call('/odd/x');
      expect({ status, json }).toEqual({
        status: 502,
        json: { error: 'The Base URL of provider "odd" cannot be used: correct it in the console.' },
      });
    });
  });

  describe('bodies', () => {
    it('replaces the model and nothing else', async () => {
      await call('/chat/x', { body: '{ "a":1.0, "model" : "mine", "extra":{"model":"kept"} }' });
      expect(last().body.toString()).toBe('{ "a":1.0, "model" : "served-model", "extra":{"model":"kept"} }');
      expect(last().headers['content-length']).toBe(String(last().body.length));
    });
    it('decides by the body, not by its type', async () => {
      await call('/chat/x', { body: '{"model":"mine"}', headers: { 'content-type': 'text/plain' } });
      expect(last().body.toString()).toBe('{"model":"served-model"}');
    });
    // Engines read them: many byte parsers detect the encoding by the first bytes.
    it.each<[string, (text: string) => Buffer]>([
      ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['UTF-16, big end first', (text) => Buffer.from(text, 'utf16le').swap16()],
    ])('replaces the model of a JSON object in %s', async (_, encoded) => {
      await call('/chat/x', { body: encoded('{"model":"mine","a":"ä"}') });
      expect(last().body.equals(encoded('{"model":"served-model","a":"ä"}'))).toBe(true);
      expect(last().headers['content-length']).toBe(String(last().body.length));
    });
    it.each([
      ['{"model":"a"} x', '{"model":"served-model"} x'],
      ['{"model":"a","MODEL":"b","x":NaN,}', '{"model":"served-model","MODEL":"served-model","x":NaN,}'],
      ['{"model":"a"}\n{"model":"b"}', '{"model":"served-model"}\n{"model":"served-model"}'],
    ])('replaces the model of %j, which tolerant parsers read', async (body, leaves) => {
      await call('/chat/x', { body });
      expect(last().body.toString()).toBe(leaves);
    });
    it('replaces the model of a body of some megabytes, which leaves in its length', async () => {
      const text = 'well said. '.repeat(300_000);
      await call('/chat/x', { body: `{"x":NaN,"text":"${text}","model":"mine"}` });
      expect(last().body.equals(Buffer.from(`{"x":NaN,"text":"${text}","model":"served-model"}`))).toBe(true);
      expect(last().headers['content-length']).toBe(String(last().body.length));
    });
    it.each(['model=mine', '{"model":"mine",', '[{"model":"a"}]', ' null ', "{'model':1}", ''])(
      'leaves %j unchanged',
      async (body) => {
        await call('/chat/x', { body });
        expect(last().body.toString()).toBe(body);
      },
    );
    it.each([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['br', brotliCompressSync],
      ['zstd', zstdCompressSync],
      ['gzip, br', (body: string) => brotliCompressSync(gzipSync(body))],
      // relay-15
    ] as const)('decodes a JSON object compressed with %s, and replaces its model', async (coding, compress) => {
      const headers = { 'content-encoding': coding, 'x-kept': '1' };
      await call('/chat/x', { body: compress('{"model":"mine"}'), headers });
      expect(last().body.toString()).toBe('{"model":"served-model"}');
      expect(last().headers).not.toHaveProperty('content-encoding');
      expect(last().headers['x-kept']).toBe('1');
    });
    it.each([
      ['is no JSON object', gzipSync('[{"model":"mine"}]')],
      ['continues after its end', Buffer.concat([gzipSync('{"model":"mine"}'), Buffer.alloc(8)])],
      ['decodes to more than the limit', gzipSync(Buffer.alloc(17 * 2 ** 20, '{'))],
    ])('does not change a compressed body that %s', async (_, body) => {
      await call('/chat/x', { body, headers: { 'content-encoding': 'gzip' } });
      expect([last().body.equals(body), last().headers['content-encoding']]).toEqual([true, 'gzip']);
    });
    it('replaces the model of a JSON object that is declared as compressed', async () => {
      for (const coding of ['gzip', 'deflate', 'br', 'x-unknown']) {
        await call('/chat/x', { body: '{"model":"mine"}', headers: { 'content-encoding': coding } });
        expect(last().body.toString()).toBe('{"model":"served-model"}');
      }
    });
    it('takes a chunked body', async () => {
      await raw(
        world.port,
        `POST /chat/x HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${world.key}\r\nTransfer-Encoding: chunked\r\n` +
          'Connection: close\r\n\r\n9;ext=1\r\n{"model":\r\n3\r\n"x"\r\n1\r\n}\r\n0\r\nTrailer: x\r\n\r\n',
      );
      expect(last().body.toString()).toBe('{"model":"served-model"}');
      expect(last().headers['transfer-encoding']).toBeUndefined();
    });
    // limits-2
    it('carries bodies of many megabytes, JSON or not', async () => {
      const text = 'x'.repeat(5_000_000);
      await call('/chat/x', { body: { model: 'mine', text } });
      expect(JSON.parse(last().body.toString())).toEqual({ model: 'served-model', text });
      const bytes = Buffer.alloc(20_000_000, 'ab\xff', 'latin1');
      await call('/chat/x', { body: bytes });
      expect(last().body.equals(bytes)).toBe(true);
      expect(last().headers['content-length']).toBe('20000000');
    });
  });

  describe('headers', () => {
    it('are forwarded except those that the contract lists (relay-9)', async () => {
      await call('/chat/x', {
        headers: {
          'Accept-Encoding': 'br',
          'X-Custom': 'A b',
          Cookie: 'a=1; b=2',
          'X-Gateway-Session': 's1',
          'X-Request-Id': 'r1',
          'X-Forwarded-For': '1.2.3.4',
          TE: 'trailers',
          Connection: 'close, X-Hop',
          'X-Hop': 'mine',
        },
      });
      const { headers } = last();
      expect(headers).toMatchObject({
        'x-custom': 'A b',
        cookie: 'a=1; b=2',
        'x-gateway-session': 's1',
        'x-request-id': 'r1',
        'x-forwarded-for': '1.2.3.4',
        'content-type': 'application/json',
      });
      for (const name of ['accept-encoding', 'authorization', 'x-api-key', 'te', 'x-hop', 'transfer-encoding']) {
        expect(headers[name]).toBeUndefined();
      }
    });
    it.each([
      ['/custom/x', { 'x-engine-key': 'the-engine-key' }],
      ['/default/x', { authorization: 'Bearer the-engine-key' }],
      ['/same/x', { 'x-api-key': 'the-engine-key' }],
    ])('%s carries the provider key', async (path, expected) => {
      await call(path, { headers: { 'x-api-key': world.key, 'x-engine-key': 'smuggled' } });
      const { headers, rawHeaders } = last();
      expect(headers).toMatchObject(expected);
      expect(rawHeaders.join('\n')).not.toContain(world.key);
      expect(rawHeaders.filter((text) => text.includes('the-engine-key'))).toHaveLength(1);
    });
    // refusals-15
    it('names an absent key variable, and nothing leaves', async () => {
      const before = world.engine.received.length;
      const { status, json } = await call('/absent/x');
      expect({ status, json }).toEqual({
        status: 500,
        json: { error: 'Missing env variable: NO_SUCH_KEY' },
      });
      expect(world.engine.received).toHaveLength(before);
    });
    it('never sends a variable of the gateway itself', async () => {
      const { status, json } = await call('/own/x');
      expect({ status, json }).toEqual({
        status: 500,
        json: { error: 'Missing env variable: DATABASE_URL' },
      });
    });
  });

  describe('answers', () => {
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

  it('sends the prompt and the caller’s words nowhere else', async () => {
    await call('/chat/x', { body: { ...HELLO, messages: [{ role: 'user', content: 'the purple walrus' }] } });
    const tables = await world.database.sql<{ name: string }[]>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`;
    for (const { name } of tables) {
      const rows = await world.database.sql.unsafe(`select t::text as row from ${name} t`);
      expect(JSON.stringify(rows)).not.toContain('purple walrus');
      expect(JSON.stringify(rows)).not.toContain(world.key);
    }
    expect(world.reports).toEqual([]);
  });
});
