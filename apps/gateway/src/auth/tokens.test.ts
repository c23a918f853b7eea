import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startIdentityProvider, type TestIdentityProvider } from '@gateway/access/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '../profile/on-premise.ts';
import { ask } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { testLicense } from '../testing/license.ts';
import { startWorld, type World } from '../testing/world.ts';

let provider: TestIdentityProvider;
let folder: string;
let authority: string;
let world: World;

async function startWith(environment: Record<string, string>): Promise<World> {
  const license = await testLicense();
  const whole = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: 'gateway', GATEWAY_LICENSE: license, ...environment };
  return startWorld({ profile, environment: whole });
}

beforeAll(async () => {
  provider = await startIdentityProvider();
  folder = mkdtempSync(join(tmpdir(), 'gateway-directory-'));
  authority = join(folder, 'authority.pem');
  writeFileSync(authority, provider.authority.certificate);
  world = await startWith({ OIDC_TLS_CA_FILE: authority });
  await world.declare.grant('alice', 'utilisateur-standard');
});
afterAll(async () => {
  await world.stop();
  await provider.stop();
  rmSync(folder, { recursive: true });
});

async function call(token: string, requestId = 'any'): Promise<[number, unknown]> {
  const { status, json } = await ask(world.port, '/chat/v1/x', { key: token, headers: { 'x-request-id': requestId } });
  return [status, status === 200 ? null : (json as { error: string }).error];
}

describe('a token of the identity provider', () => {
  it('is verified where UPSTREAM_TLS_CA_FILE alone names the authority of the identity provider', async () => {
    const other = await startWith({ UPSTREAM_TLS_CA_FILE: authority });
    try {
      const { status } = await ask(other.port, '/chat/v1/x', { key: await provider.signIn('carol') });
      expect(status).toBe(403); // recognised, without a role
    } finally {
      await other.stop();
    }
  });
  // roles-1
  it('is served with the roles of its subject, recorded as a token, and never sent on', async () => {
    const token = await provider.signIn('alice');
    expect(await call(token, 'served')).toEqual([200, null]);
    await eventually(async () =>
      expect(await world.entries('served')).toMatchObject([
        { subject: 'alice', credential: 'token', key_id: null, outcome: 'granted', roles: ['utilisateur-standard'] },
      ]),
    );
    const { headers } = world.engine.received.at(-1) as { headers: object };
    expect(JSON.stringify(headers)).not.toContain(token);
  });
  it('of a subject without a role is recognised, and entered into the registry', async () => {
    const [status, error] = await call(await provider.signIn('newcomer'));
    expect([status, error]).toEqual([403, expect.stringContaining('Your identity is recognised')]);
    await eventually(async () => {
      const rows = await world.database.sql`select origin from accounts where username = 'newcomer'`;
      expect(rows).toEqual([{ origin: 'directory' }]);
    });
  });
  it.each([
    [
      'revoked',
      403,
      "insert into subject_revocations (id, subject, reason, author) values (gen_random_uuid(), 'bob', 'r', 'a')",
    ],
    ['disabled', 401, "update accounts set enabled = false where username = 'bob'"],
    ['that lost its role', 403, "delete from role_assignments where subject = 'bob'"],
  ])('of a subject %s is refused on the next call', async (_, refused, sql) => {
    await world.database.sql`delete from subject_revocations`;
    await world.database.sql`delete from role_assignments where subject = 'bob'`;
    await world.database.sql`update accounts set enabled = true where username = 'bob'`;
    await world.declare.grant('bob', 'utilisateur-standard');
    const token = await provider.signIn('bob');
    expect((await call(token))[0]).toBe(200);
    await eventually(async () => {
      expect(await world.database.sql`select from accounts where username = 'bob'`).toHaveLength(1);
    });
    await world.database.sql.unsafe(sql);
    expect((await call(token))[0]).toBe(refused);
  });
  // roles-8
  it('whose subject is a local account is refused, never merged', async () => {
    expect(await call(await provider.signIn('caller'), 'local')).toEqual([401, 'Unauthorized.']);
    await eventually(async () =>
      expect(await world.entries('local')).toMatchObject([{ reason: 'token-subject-is-local', credential: 'token' }]),
    );
  });
  it('of another client is refused, and only the log has the reason', async () => {
    expect(await call(await provider.signIn('alice', 'other'), 'foreign')).toEqual([401, 'Unauthorized.']);
    await eventually(async () =>
      expect(await world.entries('foreign')).toMatchObject([{ reason: 'token-audience', subject: null, status: 401 }]),
    );
  });
  it.each(["' OR '1'='1", 'a.b.c', '..', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.', 'x'.repeat(9000)])(
    'that is invalid is refused: %j',
    async (token) => expect(await call(token)).toEqual([401, 'Unauthorized.']),
  );
  it('beside a key: the token counts', async () => {
    const token = await provider.signIn('alice', 'other');
    const answer = await ask(world.port, '/chat/x', { key: token, headers: { 'x-api-key': world.key } });
    expect(answer.status).toBe(401);
  });
  // roles-7
  it('is undecided while the identity provider was never reached', async () => {
    const token = await provider.signIn('alice');
    await provider.stop();
    const fresh = await world.another();
    const { status, json } = await ask(Number(new URL(fresh.address).port), '/chat/x', { key: token });
    expect([status, json]).toEqual([
      503,
      { error: 'Authorization decision could not be made, so the request was refused.' },
    ]);
    expect((await call(token))[0]).toBe(200);
    const reported = world.reports.filter((line) => line.startsWith('OIDC_ISSUER'));
    expect(reported).toEqual([expect.stringContaining(`${provider.issuer}/.well-known/openid-configuration: connect`)]);
    await provider.start();
  });
});

it('without an identity provider every token is refused, and keys are served', async () => {
  const isolated = await startWorld({ profile, environment: { GATEWAY_LICENSE: await testLicense() } });
  const token = await provider.signIn('alice');
  expect((await ask(isolated.port, '/chat/x', { key: token })).status).toBe(401);
  expect((await ask(isolated.port, '/chat/x', { key: isolated.key })).status).toBe(200);
  await isolated.stop();
});
