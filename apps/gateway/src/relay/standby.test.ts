import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../testing/caller.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
let second: Engine;
/** Accepts connections, and never answers the TLS handshake. */
let silent: Server;
const sockets = new Set<Socket>();
let onConnection = async (): Promise<unknown> => undefined;
let count = 0;

beforeAll(async () => {
  world = await startWorld({ environment: { GATEWAY_ORGANIZATION: 'acme', SECOND_KEY: 'the-second-key' } });
  second = await startEngine();
  silent = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onConnection().catch(() => {});
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await second.stop();
  await world.stop();
});

const REFUSED = 'http://127.0.0.1:1';
const handshake = (): string => `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;

/** An endpoint with a standby, each with a provider of its own, and a caller of its own. */
async function serve(first: string, standby = `${second.url}/other`) {
  count += 1;
  const name = `e${count}`;
  const { declare } = world;
  const model = await declare.model(await declare.provider(`${name}-first`, { baseUrl: first }), 'first-model');
  const prices = { input: 0.5, output: 0 };
  const other = { baseUrl: standby, apiKeyEnv: 'SECOND_KEY', apiKeyHeader: 'x-second' };
  const replacing = await declare.model(await declare.provider(`${name}-second`, other), 'second-model', prices);
  await declare.endpoint(name, model, true, replacing);
  const key = await world.account(name);
  const call = (more: Parameters<typeof ask>[2] = {}) =>
    ask(world.port, `/${name}/v1/chat/completions`, {
      key,
      ...more,
      headers: { 'x-request-id': name, ...more.headers },
    });
  return { name, call, entries: () => world.entries(name), replacing };
}

const received = (path = '/other/v1/chat/completions') => second.received.filter(({ url }) => url === path);

describe('a call whose first provider cannot be reached (relay-41)', () => {
  it.each([
    ['refuses the connection', () => REFUSED],
    ['has no name', () => 'http://nowhere.invalid'],
    ['does not speak TLS', () => world.engine.url.replace('http:', 'https:')],
    ['does not end the handshake', handshake],
  ])('%s: is served by the standby, and recorded again before', async (_, first) => {
    const { name, call, entries, replacing } = await serve(first());
    const before = received().length;
    const { status, json } = await call();
    expect([status, json]).toMatchObject([200, { id: 'chatcmpl-1' }]);
    const sent = received().slice(before);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.headers['x-second']).toBe('the-second-key');
    expect(JSON.parse(String(sent[0]?.body))).toMatchObject({ model: 'second-model', messages: [{ role: 'user' }] });
    const recorded = await entries();
    expect(recorded).toMatchObject([
      { outcome: 'granted', reason: 'role', status: 200, detail: null },
      {
        outcome: 'granted',
        reason: 'standby',
        status: 200,
        detail: `standby: provider ${name}-first could not be reached`,
      },
    ]);
    await eventually(async () => {
      expect(await world.usage(name)).toMatchObject([
        { id: recorded[1]?.['id'], endpoint: name, model: 'second-model', model_id: replacing, input_tokens: 11n },
      ]);
      const rows = await world.database.sql`
        select provider, status, fault is not null as "isFault" from upstream_results where endpoint = ${name} order by provider`;
      expect([...rows]).toEqual([
        { provider: `${name}-first`, status: null, isFault: true },
        { provider: `${name}-second`, status: 200, isFault: false },
      ]);
    });
  });

  it('is refused as before without a standby', async () => {
    await world.serve('alone', { baseUrl: REFUSED });
    const { status, json } = await ask(world.port, '/alone/x', { key: world.key });
    expect([status, json]).toEqual([
      502,
      {
        error:
          'The provider could not be reached: connect ECONNREFUSED 127.0.0.1:1. Check its Base URL; where it is reached through a proxy only, set HTTPS_PROXY or HTTP_PROXY.',
      },
    ]);
  });

  it('is refused with both causes where the standby cannot be reached either', async () => {
    const { name, call, entries } = await serve(REFUSED, 'http://127.0.0.1:2');
    const { status, text } = await call();
    expect(status).toBe(502);
    for (const said of [text, world.reports.join('\n')]) {
      expect(said).toMatch(new RegExp(`Provider ${name}-first: .*127.0.0.1:1\\..* The standby: .*127.0.0.1:2\\.`));
    }
    expect(await entries()).toHaveLength(2);
  });

  it('leaves whole, whatever the length and the kind of its body', async () => {
    const { call } = await serve(REFUSED);
    const long = { messages: [{ role: 'user', content: 'word '.repeat(3.4 * 2 ** 20) }] };
    const binary = Buffer.alloc(17 * 2 ** 20, 'no JSON ');
    for (const body of [long, binary]) {
      const before = received().length;
      expect((await call({ body })).status).toBe(200);
      const [sent, ...more] = received().slice(before);
      expect(more).toEqual([]);
      const whole = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify({ ...body, model: 'second-model' }));
      expect(sent?.body.equals(whole)).toBe(true);
    }
  });

  it('names the standby in no answer of the first: a status is an answer', async () => {
    const { call, entries } = await serve(`${world.engine.url}/first`);
    world.engine.on('/first/v1/chat/completions', (_, response) => response.writeHead(503).end('busy'));
    const before = received().length;
    expect(await call()).toMatchObject({ status: 503, text: 'busy' });
    expect(received()).toHaveLength(before);
    expect(await entries()).toMatchObject([{ reason: 'role' }]);
  });
});

describe('the attempt with the standby (relay-42)', () => {
  const policy = async (document: object) => {
    const { sql } = world.database;
    await sql`insert into organizations (id, slug, name) values (gen_random_uuid(), 'acme', 'Acme') on conflict do nothing`;
    await sql`insert into organization_policies (organization_id, revision, document, author)
      select id, 1 + (select count(*) from organization_policies), ${sql.json(document as never)}, 'test' from organizations`;
  };

  it('is refused, and its refusal recorded, where the policy does not list its provider', async () => {
    const { name, call, entries } = await serve(REFUSED);
    await policy({ models: { providers: [`${name}-first`] } });
    const before = second.received.length;
    const { status, text } = await call();
    expect([status, text]).toEqual([403, expect.stringContaining('no role you hold')]);
    expect(second.received).toHaveLength(before);
    await eventually(async () => {
      expect(await entries()).toMatchObject([
        { outcome: 'granted', reason: 'role' },
        {
          outcome: 'refused',
          reason: 'provider-excluded',
          status: 403,
          detail: expect.stringContaining(`${name}-second`),
        },
      ]);
    });
    await policy({});
  });

  it('is refused where an authorization policy forbids its model', async () => {
    const { name, call, entries } = await serve(REFUSED);
    await world.database.sql`insert into authorization_policies (revision, cedar, author)
      values (1, 'forbid(principal, action, resource is Endpoint) when { resource.model == "second-model" };', 'a')`;
    expect((await call()).status).toBe(403);
    await eventually(async () => {
      expect(await entries()).toMatchObject([{ reason: 'role' }, { outcome: 'refused', reason: 'policy-forbids' }]);
    });
    expect(await world.usage(name)).toEqual([]);
    await world.database.sql`insert into authorization_policies (revision, cedar, author) values (2, '', 'a')`;
  });

  it('is refused to a caller who lost the right in between', async () => {
    const { name, call, entries } = await serve(handshake());
    onConnection = () => world.database.sql`delete from role_assignments where subject = ${name}`;
    const before = second.received.length;
    expect((await call()).status).toBe(403);
    expect(second.received).toHaveLength(before);
    await eventually(async () => {
      expect(await entries()).toMatchObject([{ reason: 'role' }, { outcome: 'refused', reason: 'role-missing' }]);
    });
  });

  it('does not leave where it cannot be recorded', async () => {
    const { call, entries } = await serve(handshake());
    onConnection = () => world.database.sql`alter table authorization_decisions rename to elsewhere`;
    const before = second.received.length;
    const { status, text } = await call();
    expect([status, text]).toEqual([503, expect.stringContaining('could not be recorded')]);
    await world.database.sql`alter table elsewhere rename to authorization_decisions`;
    expect(second.received).toHaveLength(before);
    expect(await entries()).toMatchObject([{ reason: 'role' }]);
  });

  it('is refused above the cap, and its tokens count at its own prices', async () => {
    const { name, call, entries } = await serve(REFUSED);
    const plan = await world.declare.plan(name, 1);
    await world.database.sql`update accounts set plan_id = ${plan} where username = ${name}`;
    expect((await call()).status).toBe(200);
    // 11 tokens at .5 are more than the cap of 1: the first model is free.
    await eventually(async () => expect((await call()).status).toBe(402));
    expect((await entries()).filter(({ reason }) => reason === 'standby').length).toBeGreaterThan(0);
  });
});

describe('a first provider of which three connections failed (relay-43)', () => {
  it('is skipped for five seconds, which standard error says once', async () => {
    const { name, call, entries } = await serve(REFUSED);
    for (let attempt = 0; attempt < 6; attempt += 1) expect((await call()).status).toBe(200);
    const reasons = (await entries()).map(({ reason }) => reason);
    expect(reasons).toEqual(['role', 'standby', 'role', 'standby', 'role', 'standby', 'standby', 'standby', 'standby']);
    expect((await entries()).at(-1)).toMatchObject({
      detail: `standby: provider ${name}-first is skipped after failed connections`,
    });
    expect(world.reports.filter((line) => line.includes(`${name}-first is skipped`))).toEqual([
      `The provider ${name}-first is skipped for 5 seconds, and standbys serve its calls: 3 connections failed within 10 seconds`,
    ]);
    await world.database.sql`update providers set base_url = ${`${second.url}/first`} where slug = ${`${name}-first`}`;
    await eventually(async () => {
      await call();
      expect(received('/first/v1/chat/completions').length).toBeGreaterThan(0);
    }, 500);
  });
});
