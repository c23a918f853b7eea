import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

const NOBODY = '01890000-0000-7000-8000-000000000000';
const provider = (more: Record<string, unknown> = {}) => {
  const slug = unique('provider');
  return { slug, name: `Provider ${slug}`, baseUrl: 'https://engine.example/v1', ...more };
};
const all = async () =>
  (await here.pair.get('/api/providers?limit=500')).json.providers as { id: string; slug: string }[];

describe('a provider', () => {
  it('is created with its fields, and listed', async () => {
    const asked = provider({ apiKeyEnv: 'ENGINE_KEY', apiKeyHeader: 'x-engine-key' });
    const reply = await here.pair.post('/api/providers', asked);
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({ id: expect.any(String), ...asked, clearTextAcknowledged: false });
    expect(await all()).toContainEqual(reply.json);
  });
  it('has null names where it needs no key', async () => {
    expect(await here.pair.create('/api/providers', provider())).toMatchObject({ apiKeyEnv: null, apiKeyHeader: null });
  });
  it('has null names too where they are given as empty, and loses its key by an empty name', async () => {
    const none = { apiKeyEnv: null, apiKeyHeader: null };
    const empty = { apiKeyEnv: '', apiKeyHeader: '' };
    expect(await here.pair.create('/api/providers', provider(empty))).toMatchObject(none);
    const made = await here.pair.create('/api/providers', provider({ apiKeyEnv: 'K', apiKeyHeader: 'x-key' }));
    expect((await here.pair.patch(`/api/providers/${made.id}`, empty)).json).toEqual({ ...made, ...none });
  });
  it('in clear text needs the acknowledgement, and nothing is stored without', async () => {
    for (const more of [{}, { clearTextAcknowledged: false }, { clearTextAcknowledged: 'yes' }]) {
      const asked = provider({ baseUrl: 'http://engine.example/v1', ...more });
      const reply = await here.pair.post('/api/providers', asked);
      expect([reply.status, Object.keys(reply.json.fields).length]).toEqual([400, 1]);
      expect((await all()).map(({ slug }) => slug)).not.toContain(asked.slug);
    }
    const asked = provider({ baseUrl: 'http://engine.example/v1', clearTextAcknowledged: true });
    expect(await here.pair.create('/api/providers', asked)).toMatchObject(asked);
  });
  it.each([
    'https://user:pass@engine.example/v1',
    'https://@engine.example/v1',
    'https://engine.example/v1?a=1',
    'https://engine.example/v1?',
    'https://engine.example/v1#a',
    'https://engine.example/v1#',
    'https://engine.example\\@evil.example/',
    'https:\\\\engine.example',
    'https:/engine.example',
    'https:engine.example',
    'HTTP://engine.example',
    'ftp://engine.example',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://engine.example/\r\nx: y',
    'https://engine.example/\u0000',
    ' https://engine.example/',
    'https://engine.example/ v1',
    'https://engine.example:99999/',
    'https://éngine.example/',
    'https://[::1/',
    'engine.example',
    '',
    'https://',
    'https:///v1',
    // console-11
  ])('is refused with the base URL %j', async (baseUrl) => {
    const reply = await here.pair.post('/api/providers', provider({ baseUrl, clearTextAcknowledged: true }));
    expect(reply.status).toBe(400);
    expect(reply.json).toEqual({ error: expect.stringContaining('baseUrl '), fields: { baseUrl: expect.any(String) } });
  });
  it.each(['https://engine.example', 'https://engine.example/', 'https://[::1]:8080/a//b/%2F..', 'https://10.0.0.1'])(
    'keeps the base URL %s as declared',
    async (baseUrl) => {
      expect((await here.pair.create('/api/providers', provider({ baseUrl }))).baseUrl).toBe(baseUrl);
    },
  );
  it.each([
    ['slug', undefined],
    ['slug', ''],
    ['slug', 'a b'],
    ['slug', 'a\n'],
    ['slug', '-a'],
    ['slug', 'a'.repeat(65)],
    ['slug', 7],
    ['name', undefined],
    ['name', ''],
    ['name', ' a'],
    ['name', 'a\r\nb'],
    ['name', 'a\u0000'],
    ['name', 'a\u2028b'],
    ['name', 'a\u202eb'],
    ['name', 'a\u200bb'],
    ['name', '\ud800'],
    ['name', 'a'.repeat(201)],
    ['name', null],
    ['baseUrl', undefined],
    ['baseUrl', 7],
    ['apiKeyEnv', 'a key'],
    ['apiKeyEnv', 'sk-123'],
    ['apiKeyEnv', 'DATABASE_URL'],
    ['apiKeyEnv', 'http_proxy'],
    ['apiKeyEnv', 'Port'],
    ['apiKeyEnv', 'ADMIN_API_KEY'],
    ['apiKeyEnv', 'gateway_license'],
    ['apiKeyHeader', 'x key'],
    ['apiKeyHeader', 'x:key'],
    ['apiKeyHeader', 'x-key\r\nx: y'],
    ['apiKeyHeader', 'Host'],
    ['apiKeyHeader', 'transfer-encoding'],
    ['clearTextAcknowledged', 'true'],
    ['colour', 'red'],
    ['id', NOBODY],
    ['__proto__', 7],
  ])('is refused with %s %j, which is named', async (field, value) => {
    const body = JSON.stringify(provider()).replace(/}$/, `,"at":0}`);
    const asked = { ...JSON.parse(body) };
    delete asked.at;
    Object.defineProperty(asked, field, { value, enumerable: true, configurable: true, writable: true });
    const reply = await here.pair.post('/api/providers', asked);
    expect(reply.status).toBe(400);
    expect(Object.keys(JSON.parse(reply.text).fields)).toEqual([field]);
  });
  it.each(['{', 'hello', '[]', '7', 'null', '"x"', '{"a":1}x'])('is refused as the body %j', async (body) => {
    expect(await here.pair.post('/api/providers', body)).toMatchObject({
      status: 400,
      json: { error: 'The request body must be a JSON object.' },
    });
  });
  it('is refused as a form or as plain text', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      const reply = await here.pair.post('/api/providers', JSON.stringify(provider()), { 'content-type': type });
      expect(reply.status).toBe(415);
    }
  });
  it('is refused where the body has more than a megabyte, and where it is no UTF-8', async () => {
    const body = JSON.stringify(provider({ name: 'x'.repeat(1_048_576) }));
    expect((await here.pair.post('/api/providers', body)).status).toBe(413);
  });
  it('is refused if the slug is in use', async () => {
    const asked = provider();
    await here.pair.create('/api/providers', asked);
    const reply = await here.pair.post('/api/providers', asked);
    expect([reply.status, reply.json]).toEqual([
      409,
      { error: 'There is another provider with this slug.', fields: { slug: 'is taken already' } },
    ]);
  });
  it('is created once, however many ask at the same time', async () => {
    const asked = provider();
    const replies = await Promise.all(Array.from({ length: 8 }, () => here.pair.post('/api/providers', asked)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
  });
});

describe('a change of a provider', () => {
  it('keeps members that it does not name', async () => {
    const made = await here.pair.create('/api/providers', provider({ apiKeyEnv: 'ENGINE_KEY' }));
    const reply = await here.pair.patch(`/api/providers/${made.id}`, { name: 'Another' });
    expect([reply.status, reply.json]).toEqual([200, { ...made, name: 'Another' }]);
    expect((await here.pair.patch(`/api/providers/${made.id}`, { apiKeyEnv: null })).json.apiKeyEnv).toBeNull();
  });
  it('to clear text needs the acknowledgement too', async () => {
    const made = await here.pair.create('/api/providers', provider());
    const baseUrl = 'http://engine.example';
    expect((await here.pair.patch(`/api/providers/${made.id}`, { baseUrl })).json.fields).toHaveProperty('baseUrl');
    const changed = await here.pair.patch(`/api/providers/${made.id}`, { baseUrl, clearTextAcknowledged: true });
    expect(changed.json).toEqual({ ...made, baseUrl, clearTextAcknowledged: true });
    expect((await here.pair.patch(`/api/providers/${made.id}`, { clearTextAcknowledged: false })).status).toBe(400);
  });
  it('is 409 if the slug is in use, 404 if the provider is unknown', async () => {
    const [one, two] = [
      await here.pair.create('/api/providers', provider()),
      await here.pair.create('/api/providers', provider()),
    ];
    expect((await here.pair.patch(`/api/providers/${one.id}`, { slug: two.slug })).status).toBe(409);
    expect((await here.pair.patch(`/api/providers/${NOBODY}`, { name: 'x' })).status).toBe(404);
    expect((await here.pair.patch('/api/providers/nothing', { name: 'x' })).status).toBe(404);
  });
});

describe('the end of a provider', () => {
  it('is 204, and a read is 404 afterwards', async () => {
    const made = await here.pair.create('/api/providers', provider());
    const reply = await here.pair.delete(`/api/providers/${made.id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await all()).map(({ id }) => id)).not.toContain(made.id);
    expect((await here.pair.delete(`/api/providers/${made.id}`)).json.error).toBe('There is no such provider.');
  });
  it('is 409 while a model refers to it', async () => {
    const made = await here.pair.create('/api/providers', provider());
    await here.pair.create('/api/models', { slug: 'm', name: 'm', provider: made.id, inputPrice: 0, outputPrice: 0 });
    const refused = await here.pair.delete(`/api/providers/${made.id}`);
    expect([refused.status, refused.json.referredToBy]).toEqual([409, ['m']]);
    expect((await all()).map(({ id }) => id)).toContain(made.id);
  });
});

describe('the list of providers', () => {
  it('refuses a duplicate parameter, of which one would be ignored', async () => {
    const reply = await here.pair.get('/api/providers?limit=2&cursor=x&limit=3');
    expect([reply.status, reply.json.fields]).toEqual([400, { limit: 'is given more than once' }]);
  });
  it('does not begin where a page of another list ended, though that is sorted by a slug too', async () => {
    for (const slug of ['a-plan', 'b-plan'])
      await here.pair.create('/api/plans', { slug, name: slug, monthlyCap: null });
    const { json } = await here.pair.get('/api/plans?limit=1');
    expect((await here.pair.get(`/api/plans?cursor=${json.next}`)).status).toBe(200);
    const reply = await here.pair.get(`/api/providers?cursor=${json.next}`);
    expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, ['cursor']]);
  });
  // console-9
  it('comes page by page, every provider once', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => here.pair.create('/api/providers', provider())));
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await here.pair.get(`/api/providers?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(json.providers.length).toBeLessThanOrEqual(2);
      seen.push(...json.providers.map(({ id }: { id: string }) => id));
      cursor = json.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
  });
  it.each([
    ['limit', '0'],
    ['limit', '501'],
    ['limit', '-1'],
    ['limit', 'ten'],
    ['limit', '1.5'],
    ['limit', ''],
    ['cursor', 'x'],
    ['cursor', Buffer.from('["providers",[1]]').toString('base64url')],
    ['cursor', Buffer.from('["providers",[]]').toString('base64url')],
    ['cursor', Buffer.from('["a"]').toString('base64url')],
    ['order', 'name'],
  ])('refuses %s=%s', async (name, value) => {
    const reply = await here.pair.get(`/api/providers?${name}=${value}`);
    expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, [name]]);
  });
});
