import { connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { ask, watch } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { TOKEN } from '../../testing/inspector.ts';
import { startWorld, type World, withSecretsPolicy } from '../../testing/world.ts';
import { HELD_BYTES } from './intake.ts';

const MEBIBYTE = 2 ** 20;
const LINE = 'Nothing to see in this line of an ordinary file, number 42.\n';
const MASK = '[secret:access-token]';
const PLAIN = { 'content-type': 'text/plain' };

/** Plain text of a given length, with a given end. */
const text = (bytes: number, last = ''): Buffer => Buffer.from(LINE.repeat(Math.ceil(bytes / LINE.length)) + last);
const asks = (content: string): Buffer => Buffer.from(JSON.stringify({ model: 'm', messages: [{ content }] }));
const leaks = (said: string | Buffer): boolean => said.includes(TOKEN.slice(4, 20));

describe.each([
  ['hosted', undefined],
  ['restricted', onPremise],
])('secrets in bodies that are long or compressed, %s profile', (_, profile) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ environment: { GATEWAY_ORGANIZATION: 'acme' }, ...(profile ? { profile } : {}) });
  });
  afterAll(() => world.stop());

  const post = (id: string, body: Buffer, headers: Record<string, string> = PLAIN) =>
    ask(world.port, '/chat/upload', { key: world.key, body, headers: { ...headers, 'x-request-id': id } });
  /** Sends a body; what the engine got of it. */
  const relayed = async (id: string, body: Buffer, headers?: Record<string, string>) => {
    const received = world.engine.next('/upload');
    expect((await post(id, body, headers)).status).toBe(200);
    return received;
  };
  const entriesOf = (id: string, count: number) =>
    eventually(async () => {
      const entries = await world.entries(id);
      expect(entries).toHaveLength(count);
      return entries;
    });
  const answering = (path: string, body: Buffer, headers: Record<string, string> = PLAIN) =>
    world.engine.on(path, (_request, response) => response.writeHead(200, headers).end(body));

  describe('without a policy', () => {
    it('block a request of some megabytes before it is relayed', async () => {
      const before = world.engine.received.length;
      const answer = await post('long', text(3 * MEBIBYTE, TOKEN));
      expect(answer).toMatchObject({ status: 403, json: { code: 'secret-detected', kinds: ['access-token'] } });
      expect(world.engine.received.length).toBe(before);
      expect(await entriesOf('long', 1)).toMatchObject([{ outcome: 'refused', reason: 'secret-detected' }]);
    });

    it('have no effect where their caller leaves while the call is recorded', async () => {
      const lock = await world.database.sql.reserve();
      await lock.unsafe('begin; lock table authorization_decisions in exclusive mode');
      const before = world.engine.received.length;
      const caller = connect(world.port, '127.0.0.1');
      const length = 20 * MEBIBYTE;
      caller.write(
        `POST /chat/upload HTTP/1.1\r\nHost: g\r\nX-Api-Key: ${world.key}\r\nContent-Length: ${length}\r\n\r\n`,
      );
      caller.write(text(HELD_BYTES)); // little enough that the gateway continues to read and notices the end
      const recording = () =>
        world.database.sql`select from pg_locks where not granted and relation = 'authorization_decisions'::regclass`;
      await eventually(async () => expect(await recording()).not.toEqual([]));
      caller.destroy();
      expect((await ask(world.port, '/chat/x')).status).toBe(401); // read after the end of that connection
      await lock.unsafe('rollback');
      lock.release();
      expect((await post('others', text(10))).status).toBe(200);
      expect(world.engine.received.length).toBe(before + 1);
    });

    it('break a longer one off before the secret, and both decisions are on record', async () => {
      const received = world.engine.next('/upload');
      const answer = await post('longest', text(20 * MEBIBYTE, TOKEN));
      expect(answer).toMatchObject({ status: 403, json: { code: 'secret-detected' } });
      await (await received).closed;
      expect((await received).body.length).toBe(0); // it never came to its end
      const entries = await entriesOf('longest', 2);
      expect(entries).toMatchObject([
        { outcome: 'granted', detail: 'secrets: a long body, looked into as bytes while it leaves' },
        { outcome: 'refused', reason: 'secret-detected' },
      ]);
    });

    it('let a long body without one leave byte for byte, in the length it was announced with', async () => {
      const body = Buffer.concat([text(18 * MEBIBYTE), Buffer.from([0, 255, 0xc3, 128])]);
      const received = await relayed('clean', body);
      expect(received.headers['content-length']).toBe(String(body.length));
      expect(received.body.equals(body)).toBe(true);
    });

    it.each([
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['br', brotliCompressSync],
      ['zstd', zstdCompressSync],
      ['gzip, br', (body: Buffer) => brotliCompressSync(gzipSync(body))],
    ] as const)('look into a request compressed with %s', async (coding, compress) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding };
      const answer = await post(`coded`, compress(asks(`use ${TOKEN}`)), headers);
      // zstd stores a short text uncompressed, so that it is found in the raw bytes, too.
      const where = expect.arrayContaining(['/messages/0/content']);
      expect(answer).toMatchObject({ status: 403, json: { where } });
      const clean = compress(Buffer.from('["hello"]'));
      const received = await relayed('coded', clean, headers);
      expect([received.body.equals(clean), received.headers['content-encoding']]).toEqual([true, coding]);
      const detail = `model: not replaced in a body compressed with ${coding}`;
      expect(await world.entries('coded')).toContainEqual(expect.objectContaining({ outcome: 'granted', detail }));
    });

    it.each([
      ['gzip', gzipSync(Buffer.alloc(64 * MEBIBYTE))],
      ['gzip', Buffer.from('this is no gzip')],
      ['secret<coding>', Buffer.from('whatever')],
      ['br,br,br,br,br', Buffer.from('whatever')],
      ['gzip', Buffer.concat([gzipSync('{}'), Buffer.from('more')])],
      ['deflate', Buffer.concat([deflateSync('{}'), deflateSync('{}')])],
      // relay-37
    ])('refuse what they could not scan: %s', async (coding, body) => {
      const id = `unread ${coding} ${body.length}`;
      expect((await post(id, body, { ...PLAIN, 'content-encoding': coding })).status).toBe(415);
      expect(await entriesOf(id, 1)).toMatchObject([{ outcome: 'refused', reason: 'unreadable-body' }]);
    });

    it.each<[string, Record<string, string>]>([
      ['an image', { 'content-type': 'image/png' }],
      ['a sound', { 'content-type': ' Audio/mpeg' }],
      ['compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
      ['in an unknown coding', { 'content-encoding': 'secret' }],
      ['a compressed image', { 'content-type': 'image/png', 'content-encoding': 'br' }],
    ])('look into a JSON object that is called %s', async (_what, headers) => {
      for (const body of [asks(`use ${TOKEN}`), Buffer.concat([Buffer.from(' \r\n'), asks(`use ${TOKEN}`)])])
        expect(await post('called', body, headers)).toMatchObject({ status: 403, json: { code: 'secret-detected' } });
      const clean = asks('hello');
      const isCoded = 'content-encoding' in headers;
      const answered = isCoded
        ? (await post('called', clean, headers)).status
        : (await relayed('called', clean, headers)).body;
      expect(String(answered)).toContain(isCoded ? '415' : '"hello"');
    });

    const wide = (text: string): Buffer =>
      Buffer.concat(Array.from(text, (one) => Buffer.from([0, 0, 0, one.charCodeAt(0)])));
    const POLYGLOT = '{"luM1<fZiD _dF<@@":0,'; // JSON that is a raw deflate stream, too
    it.each<[string, Buffer, Record<string, string>]>([
      ['text that is called a picture', Buffer.from(`use ${TOKEN}`), { 'content-type': 'image/png' }],
      ['a picture', Buffer.from(`\x89PNG\0\xff ${TOKEN} `, 'latin1'), { 'content-type': 'image/png' }],
      ['UTF-16 that is no JSON', Buffer.from(`{"x":NaN,"y":"${TOKEN}"}`, 'utf16le'), {}],
      ['UTF-16 that begins with no ASCII', Buffer.from(`中文慡 ${TOKEN} `, 'utf16le').swap16(), PLAIN],
      ['UTF-16 within other bytes', Buffer.concat([Buffer.from('--b\r\n'), Buffer.from(` ${TOKEN}`, 'utf16le')]), {}],
      [
        'UTF-16 by its charset',
        Buffer.from(`中文慡 ${TOKEN} `, 'utf16le'),
        { 'content-type': 'text/plain; charset="UTF-16"' },
      ],
      ['UTF-32', wide(`{"a":"${TOKEN}"}`), {}],
      ['compressed UTF-16', gzipSync(Buffer.from(`"${TOKEN}"`, 'utf16le')), { 'content-encoding': 'gzip' }],
      ['a second member of gzip', Buffer.concat([gzipSync('{}'), gzipSync(TOKEN)]), { 'content-encoding': 'gzip' }],
      [
        'JSON that is a deflate stream as well',
        Buffer.from(`${POLYGLOT}"a":"${TOKEN}"}`),
        { 'content-encoding': 'deflate' },
      ],
    ])('look into %s', async (_what, body, headers) => {
      expect(await post('forms', body, headers)).toMatchObject({ status: 403, json: { code: 'secret-detected' } });
    });

    it.each<[string, Buffer, string, string]>([
      ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 255]), 'image/png', 'content of the type image/png'],
      ['an archive', Buffer.from([0x50, 0x4b, 3, 4, 0, 200]), 'application/zip', 'content of the type application/zip'],
      [
        'a form with a file',
        Buffer.from('--b\r\n\0\xff', 'latin1'),
        'multipart/form-data; boundary=b',
        'content of the type multipart/form-data; boundary=b',
      ],
      ['another charset', Buffer.from('{+ACI-a+ACI-:1}'), 'application/json; charset=utf-7', 'the charset utf-7'],
    ])('name what they could not read: %s', async (what, body, type, reported) => {
      const received = await relayed(`named ${what}`, body, { 'content-type': type });
      expect(received.body.equals(body)).toBe(true);
      const detail = `secrets: ${reported} was read as bytes, not decoded`;
      expect(await entriesOf(`named ${what}`, 1)).toMatchObject([{ outcome: 'granted', detail }]);
    });

    it('refuse a plain answer of some megabytes, and account for it', async () => {
      answering('/long', text(3 * MEBIBYTE, TOKEN));
      const key = await world.account('refused');
      const answer = await ask(world.port, '/chat/long', { key });
      expect(answer).toMatchObject({ status: 502, json: { code: 'secret-detected', kinds: ['access-token'] } });
      expect(leaks(answer.text)).toBe(false);
      await eventually(async () => expect(await world.usage('refused')).toHaveLength(1));
    });

    it('break off one too long to wait for, before the secret', async () => {
      answering('/longest', text(20 * MEBIBYTE, `${TOKEN} and more`));
      const answer = watch(world.port, '/chat/longest', { key: world.key });
      expect(await answer.done).toBe('broken');
      expect(answer.length()).toBeGreaterThan(MEBIBYTE);
      expect(leaks(answer.text())).toBe(false);
    });

    it('account for a stream whose last piece is cut off', async () => {
      const key = await world.account('cut-off');
      world.engine.on('/last', (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' });
        response.end(`use ${TOKEN}`);
      });
      const body = { model: 'm', stream: true, messages: [] };
      const answer = watch(world.port, '/chat/last', { key, body });
      expect(await answer.done).toBe('broken');
      expect(answer.text()).toBe('use ');
      await eventually(async () => expect(await world.usage('cut-off')).toHaveLength(1));
    });
  });

  describe('with the policy response mask', () => {
    beforeAll(() => withSecretsPolicy(world, { response: 'mask' }));

    it('mask a long request of any length', async () => {
      for (const size of [3 * MEBIBYTE, 20 * MEBIBYTE]) {
        const received = await relayed('masked', text(size, `A=${TOKEN}\n`));
        expect(received.body.equals(text(size, `A=${MASK}\n`))).toBe(true);
      }
      expect(world.reports.at(-1)).toMatch(/^In the request of call \S+: secrets: mask access-token/);
    });

    it('send a masked request without its original coding, and with the model of the endpoint', async () => {
      const headers = {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        connection: 'x-hop',
        'x-hop': '1',
      };
      const received = await relayed('uncoded', gzipSync(asks(`use ${TOKEN}`)), headers);
      expect(JSON.parse(received.body.toString())).toEqual({
        model: 'served-model',
        messages: [{ content: `use ${MASK}` }],
      });
      expect(received.headers).not.toHaveProperty('content-encoding');
      expect(received.headers).not.toHaveProperty('x-hop');
      expect(received.headers['content-length']).toBe(String(received.body.length));
    });

    it('mask a request in UTF-16 in its own encoding, and block what cannot be masked', async () => {
      const text = `\ufeff{"model":"m","a":"é ${TOKEN}"}`;
      const received = await relayed('wide', Buffer.from(text, 'utf16le'));
      expect(received.body.toString('utf16le')).toBe(`{"model":"served-model","a":"é ${MASK}"}`);
      const hidden = Buffer.concat([Buffer.from('--b\r\n'), Buffer.from(` ${TOKEN}`, 'utf16le')]);
      expect(await post('hidden', hidden)).toMatchObject({ status: 403, json: { code: 'secret-detected' } });
    });

    it('mask a long answer of any length', async () => {
      for (const size of [MEBIBYTE, 20 * MEBIBYTE]) {
        const body = text(size, `${TOKEN}\n${LINE}`);
        answering('/masked', body, { ...PLAIN, 'content-length': String(body.length) });
        const answer = await ask(world.port, '/chat/masked', { key: world.key });
        expect(answer.body.equals(text(size, `${MASK}\n${LINE}`))).toBe(true);
        expect([undefined, String(answer.body.length)]).toContain(answer.headers['content-length']);
      }
    });
  });

  it('pass with an alert, long or compressed', async () => {
    await withSecretsPolicy(world, { response: 'alert' });
    const coded = gzipSync(asks(`use ${TOKEN}`));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await relayed('alerted', coded, headers)).body.includes(TOKEN)).toBe(true);
    expect(String((await entriesOf('alerted', 1))[0]?.['detail'])).toContain('alert access-token');
    const body = text(2 * MEBIBYTE, TOKEN);
    answering('/alerted', body);
    expect((await ask(world.port, '/chat/alerted', { key: world.key })).body.equals(body)).toBe(true);
    expect(world.reports.at(-1)).toContain('alert access-token (github-token) at byte');
  });
});
