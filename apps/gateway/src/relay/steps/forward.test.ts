import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, HELLO, raw } from '../../testing/caller.ts';
import { startWorld, type World } from '../../testing/world.ts';

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

    it.each(['/chat/q?a=1&key=', '/chat/q?%6bey=%67%77%6B_'])(
      'names a key in the query, which %s leaves with',
      async (path) => {
        const key = path.endsWith('_') ? world.key.slice('gwk_'.length) : world.key;
        expect((await call(`${path}${key}`)).status).toBe(200);
        expect(last().url).toContain(key);
        expect((await world.entries()).at(-1)).toMatchObject({
          outcome: 'granted',
          detail: 'address: a key or token of the caller is in the query, and left for the engine as written',
        });
      },
    );

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

  describe('headers', () => {
    // Which they are is tested in `request/headers.test.ts`.
    it('are forwarded except those that the contract lists (relay-9)', async () => {
      await call('/chat/x', {
        headers: {
          'Accept-Encoding': 'br',
          'X-Custom': 'A b',
          TE: 'trailers',
          Connection: 'close, X-Hop',
          'X-Hop': 'mine',
        },
      });
      const { headers } = last();
      expect(headers).toMatchObject({ 'x-custom': 'A b', 'content-type': 'application/json' });
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
