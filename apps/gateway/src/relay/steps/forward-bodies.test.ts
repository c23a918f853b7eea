import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, raw } from '../../testing/caller.ts';
import { startWorld, type World, withSecretsPolicy } from '../../testing/world.ts';

describe('the relay rules for bodies', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ environment: { GATEWAY_ORGANIZATION: 'acme' } });
  });
  afterAll(() => world.stop());

  const call = (path: string, more: Parameters<typeof ask>[2] = {}) =>
    ask(world.port, path, { key: world.key, ...more });
  const last = () => world.engine.received.at(-1)!;

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
  it('takes zeros after gzip for padding', async () => {
    const body = Buffer.concat([gzipSync('{"model":"mine"}'), Buffer.alloc(8)]);
    await call('/chat/x', { body, headers: { 'content-encoding': 'gzip' } });
    expect(last().body.toString()).toBe('{"model":"served-model"}');
  });
  it('does not change a compressed body that is no JSON object', async () => {
    const body = gzipSync('[{"model":"mine"}]');
    await call('/chat/x', { body, headers: { 'content-encoding': 'gzip' } });
    expect([last().body.equals(body), last().headers['content-encoding']]).toEqual([true, 'gzip']);
  });
  it.each([
    ['continues after its end', Buffer.concat([gzipSync('{"model":"mine"}'), Buffer.from('more')])],
    ['decodes to more than the limit', gzipSync(Buffer.alloc(17 * 2 ** 20, '{'))],
  ])('refuses a compressed body that %s', async (_, body) => {
    const before = world.engine.received.length;
    const answer = await call('/chat/x', { body, headers: { 'content-encoding': 'gzip' } });
    expect([answer.status, answer.json]).toEqual([
      415,
      { error: "The request's content coding could not be read, so it was not relayed." },
    ]);
    expect(world.engine.received).toHaveLength(before);
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
  // The last test: it changes the policy.
  it('replaces the model of a JSON object that is declared as compressed, where secrets are only reported', async () => {
    const declared = { body: '{"model":"mine"}', headers: { 'content-encoding': 'gzip' } };
    expect((await call('/chat/x', declared)).status).toBe(415);
    await withSecretsPolicy(world, { response: 'alert' });
    for (const coding of ['gzip', 'deflate', 'br', 'x-unknown']) {
      await call('/chat/x', { body: '{"model":"mine"}', headers: { 'content-encoding': coding } });
      expect(last().body.toString()).toBe('{"model":"served-model"}');
    }
  });
});
