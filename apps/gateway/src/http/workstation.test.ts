import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { refusal } from '@gateway/contract';
import { parseDatabaseAddress } from '@gateway/database';
import { anAct, createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { createWorkstations, type Workstations } from '@gateway/domain/session/gateway-workstations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, ask } from '../testing/caller.ts';
import { BodyBudget } from './body.ts';
import { createRouter } from './routes.ts';
import { createWorkstationHandler, type WorkstationPorts } from './workstation.ts';

const LICENSE = 'the-license';
const UNREADABLE = 'The database could not be read. Send the request again.';

let database: TestDatabase;
let workstations: Workstations;
const servers: Server[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  workstations = createWorkstations({ address: parseDatabaseAddress(database.gatewayUrl), budgetMs: 5000 });
  await database.sql`insert into organizations (id, slug, name) values (${randomUUID()}, 'acme', 'Acme')`;
});
afterAll(async () => {
  for (const server of servers) server.close();
  workstations.close();
  await database.drop();
});

async function serve(more: Partial<WorkstationPorts> = {}) {
  const handler = createWorkstationHandler({
    organization: 'acme',
    workstations,
    license: (authorization) => (authorization === `Bearer ${LICENSE}` ? null : refusal('license-not-presented')),
    directory: { issuer: 'https://directory.example', clientId: 'workstations' },
    trustedProxies: null,
    bodies: new BodyBudget(2 ** 26, () => {}),
    report: () => {},
    ...more,
  });
  const server = createServer(createRouter({ mounted: new Map([['ide', handler]]), relay: () => {} }));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    get: (path: string, asking: Asking = {}) => ask(port, path, { method: 'GET', key: LICENSE, ...asking }),
    post: (body: Asking['body'], asking: Asking = {}) =>
      ask(port, '/ide/acts', { key: LICENSE, ...(body === undefined ? {} : { body }), ...asking }),
    ask: (path: string, asking: Asking) => ask(port, path, asking),
  };
}
const BROKEN: Workstations = {
  policyOf: () => Promise.reject(new Error('silent')),
  storeActs: () => Promise.reject(new Error('silent')),
  sessionRevokedAt: () => Promise.reject(new Error('silent')),
  close: () => {},
};
const error = (answer: { json: unknown }) => (answer.json as { error?: string }).error;

describe('without the license', () => {
  // workstation-1
  it('policy, acts and standing give the same answer, before the body is read', async () => {
    const plane = await serve();
    const answers = await Promise.all([
      plane.ask('/ide/policy', { method: 'GET' }),
      plane.ask('/ide/acts', { body: '{' }),
      plane.ask('/ide/sessions/any/standing', { method: 'GET' }),
      plane.ask('/ide/policy', { method: 'GET', headers: { 'x-api-key': LICENSE } }),
    ]);
    for (const { status } of answers) expect(status).toBe(401);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
  it('nothing is stored', async () => {
    const plane = await serve();
    const batch = { acts: [anAct()] };
    await plane.ask('/ide/acts', { body: batch });
    expect((await plane.post(batch)).json).toEqual({ received: 1, stored: 1 });
  });
});

describe('GET /ide/policy', () => {
  // workstation-2
  it('is a normal answer where the organization imposes nothing', async () => {
    const { status, json, headers } = await (await serve()).get('/ide/policy');
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(json).toEqual({
      organization: 'acme',
      revision: null,
      producedAt: null,
      validFrom: null,
      validUntil: null,
      policy: null,
    });
  });
  it('is the newest policy as written, with its instants, also after its validity', async () => {
    const id = randomUUID();
    await database.sql`insert into organizations (id, slug, name) values (${id}, 'late', 'Late')`;
    await database.sql`insert into organization_policies (organization_id, revision, document, author, produced_at, valid_from, valid_until)
      values (${id}, 1, '{}', 'a', now(), null, null),
        (${id}, 2, '{"tools": {"exclude": ["shell"]}}', 'a', '2020-01-01', '2020-01-01', '2021-01-01')`;
    expect((await (await serve({ organization: 'late' })).get('/ide/policy')).json).toEqual({
      organization: 'late',
      revision: 2,
      producedAt: '2020-01-01T00:00:00.000Z',
      validFrom: '2020-01-01T00:00:00.000Z',
      validUntil: '2021-01-01T00:00:00.000Z',
      policy: { tools: { exclude: ['shell'] } },
    });
  });
  it('reports that no organization is served where none is configured', async () => {
    expect((await (await serve({ organization: null })).get('/ide/policy')).json).toMatchObject({
      organization: null,
      policy: null,
    });
  });
  // workstation-3
  it('is never empty for an unknown organization, or one that could not be read', async () => {
    const unknown = await (await serve({ organization: 'nobody' })).get('/ide/policy');
    expect([unknown.status, error(unknown)]).toEqual([
      500,
      'This gateway is configured to serve the organization "nobody", which does not exist in its database.',
    ]);
    const unread = await (await serve({ workstations: BROKEN })).get('/ide/policy');
    expect([unread.status, error(unread)]).toEqual([503, UNREADABLE]);
  });
});

describe('POST /ide/acts', () => {
  // workstation-7
  it('stores a batch once', async () => {
    const plane = await serve();
    const batch = { acts: [anAct(), anAct({ parentSession: 'above', reason: 'asked' })] };
    expect(await plane.post(batch)).toMatchObject({ status: 200, json: { received: 2, stored: 2 } });
    expect((await plane.post(batch)).json).toEqual({ received: 2, stored: 0 });
    expect((await plane.post({ acts: [...batch.acts, anAct()] })).json).toEqual({ received: 3, stored: 1 });
  });
  it.each([
    ['🔒'.repeat(300), '🔒'.repeat(300)],
    [`a${'🔒'.repeat(299)}`, `a${'🔒'.repeat(299)}`],
    ['é'.repeat(300), 'é'.repeat(300)],
  ])('stores a reason of 300 characters completely', async (reason, kept) => {
    const sent = anAct({ reason });
    expect((await (await serve()).post({ acts: [sent] })).json).toEqual({ received: 1, stored: 1 });
    expect(await database.sql`select reason from agent_acts where id = ${sent.id}`).toMatchObject([{ reason: kept }]);
  });
  it.each([
    ['2026-01-31T23:59:00+23:59', '2026-01-31T00:00:00.000Z'],
    [`2026-01-31T10:00:00.${'9'.repeat(300)}Z`, '2026-01-31T10:00:00.999Z'],
  ])('stores an instant in any notation: %s', async (at, kept) => {
    const sent = anAct({ at });
    expect((await (await serve()).post({ acts: [sent] })).json).toEqual({ received: 1, stored: 1 });
    expect(await database.sql`select at from agent_acts where id = ${sent.id}`).toEqual([{ at: new Date(kept) }]);
  });
  it('takes 500 and refuses 501', async () => {
    const plane = await serve();
    const acts = Array.from({ length: 501 }, () => anAct());
    const refused = await plane.post({ acts });
    expect([refused.status, error(refused)]).toEqual([400, 'acts refused - act #501: a batch holds at most 500 acts']);
    expect((await plane.post({ acts: acts.slice(0, 500) })).json).toEqual({ received: 500, stored: 500 });
  });
  // workstation-5
  it('refuses a batch whole for one fault', async () => {
    const plane = await serve();
    const good = [anAct(), anAct()];
    const refused = await plane.post({ acts: [good[0], { ...anAct(), parameters: { content: 'x' } }, good[1]] });
    expect([refused.status, error(refused)]).toEqual([
      400,
      'acts refused - act #2: must not hold the field "parameters"',
    ]);
    expect((await plane.post({ acts: good })).json).toEqual({ received: 2, stored: 2 });
  });
  it.each([
    ['', 400],
    ['{', 400],
    ['acts', 400],
    [Buffer.from([0x22, 0xff, 0x22]), 400],
  ])('reports that %j is not JSON', async (body, status) => {
    const answer = await (await serve()).post(body);
    expect([answer.status, error(answer)]).toEqual([status, 'the body is JSON']);
  });
  it.each(['7', 'null', '[]', '{}', '{"acts": {}}', '{"acts": [], "note": 1}'])('refuses %s', async (body) => {
    const answer = await (await serve()).post(body);
    expect(answer.status).toBe(400);
    expect(error(answer)).toMatch(/^acts refused - \S/);
  });
  it('does not report stored where it could not store', async () => {
    const answer = await (await serve({ workstations: BROKEN })).post({ acts: [anAct()] });
    expect([answer.status, error(answer)]).toEqual([
      503,
      'It is unknown whether the acts are stored. Send the batch again: each act is stored once.',
    ]);
  });
  it('bounds its body', async () => {
    expect((await (await serve()).post(Buffer.alloc(25 * 2 ** 20, 32))).status).toBe(413);
  });
});

describe('GET /ide/sessions/:session/standing', () => {
  const path = (session: string) => `/ide/sessions/${encodeURIComponent(session)}/standing`;
  // workstation-9
  it('is in force for a session that is not revoked or unknown', async () => {
    expect((await (await serve()).get(path('unknown'))).json).toEqual({ session: 'unknown', standing: 'in force' });
  });
  // workstation-8
  it('returns the time of the revocation, but neither its author nor its reason', async () => {
    const session = 'a b é&?=%/..';
    const at = new Date('2026-01-31T10:00:00.123Z');
    await database.sql`insert into agent_session_revocations (session, reason, author, revoked_at) values (${session}, 'the-reason', 'the-author', ${at})`;
    expect((await (await serve()).get(path(session))).json).toEqual({
      session,
      standing: 'revoked',
      revokedAt: '2026-01-31T10:00:00.123Z',
    });
  });
  it('reaches those below a revoked session, also when they appear later', async () => {
    const plane = await serve();
    await database.sql`insert into agent_session_revocations (session, reason, author) values ('root', 'r', 'a')`;
    await plane.post({
      acts: [anAct({ session: 'late', parentSession: 'root' }), anAct({ session: 'later', parentSession: 'late' })],
    });
    for (const session of ['late', 'later'])
      expect((await plane.get(path(session))).json).toMatchObject({ standing: 'revoked' });
  });
  it('is never in force where it could not be read', async () => {
    const answer = await (await serve({ workstations: BROKEN })).get(path('any'));
    expect([answer.status, error(answer)]).toEqual([503, UNREADABLE]);
    expect(answer.text).not.toContain('in force');
  });
  it.each(['%E0%A4%A', 'a%00b'])('refuses a name that cannot be one: %s', async (segment) => {
    expect((await (await serve()).get(`/ide/sessions/${segment}/standing`)).status).toBe(400);
  });
});

describe('GET /ide/identity-discovery', () => {
  // workstation-12
  it('names the identity provider and the public client to every caller', async () => {
    const answer = await (await serve()).ask('/ide/identity-discovery', {
      method: 'GET',
      headers: { authorization: 'Bearer x' },
    });
    expect(answer).toMatchObject({
      status: 200,
      json: { issuer: 'https://directory.example', clientId: 'workstations' },
    });
  });
  it('is not found where there is no identity provider', async () => {
    const answer = await (await serve({ directory: null })).ask('/ide/identity-discovery', { method: 'GET' });
    expect([answer.status, answer.json]).toEqual([404, { error: 'not_found' }]);
  });
});

it('other addresses and methods below the segment are not found', async () => {
  const plane = await serve();
  for (const path of [
    '/ide',
    '/ide/',
    '/ide/other',
    '/ide/policy/',
    '/ide/sessions//standing',
    '/ide/sessions/a/b/standing',
    '/ide/acts',
  ])
    expect((await plane.get(path)).status).toBe(404);
  expect((await plane.ask('/ide/policy', { key: LICENSE })).status).toBe(404);
  expect((await plane.get('/ide/policy?x=1')).status).toBe(200);
});
