import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';

const NO_ROLE = 'Your identity is recognised, but no role you hold carries the right to call this endpoint.';
let world: World;
let revision = 0;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

async function install(cedar: string): Promise<void> {
  revision += 1;
  await world.database
    .sql`insert into authorization_policies (revision, cedar, author) values (${revision}, ${cedar}, 'test')`;
}
const call = (headers: Record<string, string> = {}, path = '/chat/v1/x?q=1', key = world.key) =>
  ask(world.port, path, { key, headers });
const statusOf = async (...asked: Parameters<typeof call>) => (await call(...asked)).status;

describe('a policy in force', () => {
  // refusals-11
  it('narrows from the next call on, with the sentence of a missing role; the log names it', async () => {
    expect(await statusOf()).toBe(200);
    await install('@id("closed") forbid(principal, action == Action::"inference:appeler", resource);');
    const { status, json } = await call({ 'x-request-id': 'narrowed' });
    expect([status, json]).toEqual([403, { error: NO_ROLE }]);
    await eventually(async () =>
      expect(await world.entries('narrowed')).toMatchObject([
        { reason: 'policy-forbids', detail: 'closed', policy_revision: revision, outcome: 'refused' },
      ]),
    );
    await install('');
    expect(await statusOf()).toBe(200);
  });
  it.each([
    ['the subject', 'principal == Subject::"caller"', true],
    ['another subject', 'principal == Subject::"somebody"', false],
    ['the role', 'principal in Role::"utilisateur-standard"', true],
    ['the endpoint', 'resource == Endpoint::"chat"', true],
    ['the model it serves', 'resource is Endpoint && resource.model == "served-model"', true],
    ['the provider', 'resource is Endpoint && resource.provider == "chat"', true],
    ['the method', 'context.method == "POST"', true],
    ['the path with its query', 'context.path == "/chat/v1/x?q=1"', true],
    ['the session', 'context has session && context.session == "s1"', true],
    ['the address', 'context.sourceAddress.isLoopback()', true],
    ['the time', 'context.time > datetime("2020-01-01")', true],
  ])('knows %s', async (_, condition, forbidden) => {
    await install(`forbid(principal, action, resource) when { ${condition} };`);
    expect(await statusOf({ 'x-gateway-session': 's1' })).toBe(forbidden ? 403 : 200);
    await install('');
  });
  it.each([
    '/chat/v1/%66iles',
    '/chat/v1%2Ffiles',
    '/chat/v1//files',
    '/chat/v1/x/../files',
    '/chat/v1/x/%2e%2e/files',
  ])('on a path applies to every reading an engine may use: %s', async (path) => {
    await install('forbid(principal, action, resource) when { context.path == "/chat/v1/files" };');
    expect(await statusOf({}, path)).toBe(403);
    expect(await statusOf({}, '/chat/v1/file%73x')).toBe(200);
    await install('');
  });
  // roles-19
  it('whose evaluation errs refuses', async () => {
    await install('forbid(principal, action, resource) when { 9223372036854775807 + 1 > 0 };');
    expect(await statusOf({ 'x-request-id': 'erred' })).toBe(403);
    await eventually(async () => expect(await world.entries('erred')).toMatchObject([{ reason: 'policy-error' }]));
    await install('');
  });
  // roles-16
  it('never gives what the matrix does not', async () => {
    await world.declare.account('roleless');
    await install('forbid(principal, action, resource) unless { principal == Subject::"roleless" };');
    const { keyOf } = await import('@gateway/database/testing');
    expect(await statusOf({}, '/chat/x', keyOf('roleless'))).toBe(403);
    await install('');
  });
  it('that was written past every check decides nothing', async () => {
    await install('permit(principal, action, resource);');
    expect(await statusOf({ 'x-request-id': 'past-checks' })).toBe(503);
    await eventually(async () =>
      expect(await world.entries('past-checks')).toMatchObject([
        { reason: 'undecided', detail: expect.stringContaining('policy 1 permits') },
      ]),
    );
    await install('');
    expect(await statusOf()).toBe(200);
  });
});

describe('the paths that an endpoint declares', () => {
  it('are all that its callers may use from the next call on, and a refusal reads like one by a policy', async () => {
    await install('');
    const paths = async (list: string): Promise<void> => {
      await world.database.sql`update endpoints set paths = ${list}::text::text[] where name = 'chat'`;
    };
    await paths('{/x,/models/*}');
    const statuses = ['/chat/v1/x?q=1', '/chat/x', '/chat/models/a:b', '/chat/v1/files', '/chat/models/../files'];
    expect(await Promise.all(statuses.map((path) => statusOf({}, path)))).toEqual([200, 200, 200, 403, 403]);
    const { json } = await call({ 'x-request-id': 'undeclared' }, '/chat/v1/files');
    expect(json).toEqual({ error: NO_ROLE });
    await eventually(async () =>
      expect(await world.entries('undeclared')).toMatchObject([
        {
          reason: 'policy-forbids',
          detail: 'endpoint chat: the path is not among its paths',
          resource: 'endpoint:chat',
          outcome: 'refused',
        },
      ]),
    );
    await paths('{}');
    expect(await statusOf({}, '/chat/v1/files')).toBe(200);
  });
});
