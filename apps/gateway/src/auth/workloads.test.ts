import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  signedToken,
  signingKey,
  startIdentityProvider,
  type TestIdentityProvider,
  WORKLOAD_CLAIMS,
  WORKLOAD_RULES,
} from '@gateway/access/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfiguration } from '../config/configuration.ts';
import { profile } from '../profile/on-premise.ts';
import { ask } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { testLicense } from '../testing/license.ts';
import { startWorld, type World } from '../testing/world.ts';

const { github, gitlab, kubernetes } = WORKLOAD_RULES;
const SUBJECT = 'workload:github:acme/app@refs/heads/main';

type Key = Awaited<ReturnType<typeof signingKey>>;

let people: TestIdentityProvider;
/** The platform of the jobs: a provider process whose keys are fetched. */
let platform: TestIdentityProvider;
let cluster: Key;
let folder: string;
let world: World;

const rulesAt = (...workloads: readonly object[]): string => {
  const path = join(folder, 'workloads.json');
  writeFileSync(path, JSON.stringify({ workloads }));
  return path;
};
const publicHalf = ({ kty, n, e, kid, alg, use }: Key) => ({ kty, n, e, kid, alg, use });

beforeAll(async () => {
  [people, platform, cluster] = await Promise.all([startIdentityProvider(), startIdentityProvider(), signingKey()]);
  folder = mkdtempSync(join(tmpdir(), 'gateway-workloads-'));
  writeFileSync(join(folder, 'platform.pem'), platform.authority.certificate);
  writeFileSync(join(folder, 'people.pem'), people.authority.certificate);
  writeFileSync(join(folder, kubernetes.keysFile), JSON.stringify({ keys: [publicHalf(cluster)] }));
  const fetched = { issuer: platform.issuer, caFile: 'platform.pem' };
  const GATEWAY_WORKLOADS_FILE = rulesAt({ ...github, ...fetched }, { ...gitlab, ...fetched }, kubernetes);
  const environment = {
    GATEWAY_WORKLOADS_FILE,
    OIDC_ISSUER: people.issuer,
    OIDC_CLIENT_ID: 'gateway',
    OIDC_TLS_CA_FILE: join(folder, 'people.pem'),
    GATEWAY_LICENSE: await testLicense(),
  };
  world = await startWorld({ profile, environment });
});
afterAll(async () => {
  await world.stop();
  await Promise.all([people.stop(), platform.stop()]);
  rmSync(folder, { recursive: true });
});

async function tokenOf(
  name: keyof typeof WORKLOAD_CLAIMS,
  change: Readonly<Record<string, unknown>> = {},
  key: Key | undefined = name === 'kubernetes' ? cluster : platform.keys[0],
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const iss = name === 'kubernetes' ? kubernetes.issuer : platform.issuer;
  const times = { iat: now, nbf: now - 5, exp: now + 300 };
  const claims = { ...WORKLOAD_CLAIMS[name], iss, aud: github.audience, ...times, ...change };
  return signedToken(claims, key);
}

let calls = 0;
async function call(token: string) {
  calls += 1;
  const id = `workload-${calls}`;
  const { status, json } = await ask(world.port, '/chat/v1/x', { key: token, headers: { 'x-request-id': id } });
  return { status, id, error: status === 200 ? null : (json as { error: string }).error };
}

describe('a workload', () => {
  it.each([
    ['github', SUBJECT],
    ['gitlab', 'workload:gitlab:acme/app@main'],
    ['kubernetes', 'workload:cluster-1:ci:builder'],
  ] as const)(
    'of %s calls as %s: without a role it is recognised, with one it is served and recorded',
    async (name, subject) => {
      const token = await tokenOf(name);
      expect(await call(token)).toMatchObject({
        status: 403,
        error: expect.stringContaining('Your identity is recognised') as string,
      });
      await world.declare.grant(subject, 'utilisateur-standard');
      const { status, id } = await call(token);
      expect(status).toBe(200);
      await eventually(async () =>
        expect(await world.entries(id)).toMatchObject([{ subject, credential: 'token', outcome: 'granted' }]),
      );
      expect(JSON.stringify(world.engine.received.at(-1))).not.toContain(token);
    },
  );

  it('is refused with its next call once its subject is revoked, and people are served meanwhile', async () => {
    const subject = 'workload:github:acme/leaver@refs/heads/main';
    await world.declare.grant(subject, 'utilisateur-standard');
    await world.declare.grant('alice', 'utilisateur-standard');
    const token = await tokenOf('github', { repository: 'acme/leaver' });
    expect((await call(token)).status).toBe(200);
    await world.database.sql`
      insert into subject_revocations (id, subject, reason, author) values (gen_random_uuid(), ${subject}, 'r', 'a')`;
    expect(await call(token)).toMatchObject({
      status: 403,
      error: expect.stringContaining('has been revoked') as string,
    });
    expect((await call(await people.signIn('alice'))).status).toBe(200);
  });

  it.each([
    ['token-audience', { aud: 'another' }],
    ['token-claims', { repository_owner_id: '999' }],
    ['token-expired', { iat: Math.floor(Date.now() / 1000) - 1000 }],
    // The issuer is no workload's, so the identity provider is used, whose keys did not sign it.
    ['token-signature', { iss: 'https://evil.example' }],
  ])('that does not match its rule is refused with 401, and the log says why (%s)', async (reason, change) => {
    const { status, id, error } = await call(await tokenOf('github', change));
    expect([status, error]).toEqual([401, 'Unauthorized.']);
    await eventually(async () => expect(await world.entries(id)).toMatchObject([{ reason, subject: null }]));
  });

  it('cannot use the keys of another issuer, and no person can have its subject', async () => {
    expect((await call(await tokenOf('kubernetes', {}, platform.keys[0]))).status).toBe(401);
    expect((await call(await tokenOf('github', {}, cluster))).status).toBe(401);
    expect((await call(await tokenOf('github', { iss: people.issuer, aud: 'gateway' }, people.keys[0]))).status).toBe(
      403,
    );
    const posing = await call(
      await tokenOf('github', { iss: people.issuer, aud: 'gateway', sub: SUBJECT }, people.keys[0]),
    );
    expect(posing.status).toBe(401);
    await eventually(async () => expect(await world.entries(posing.id)).toMatchObject([{ reason: 'token-claims' }]));
  });
});

describe('the file of rules', () => {
  const faultsOf = async (path: string) => {
    const environment = {
      GATEWAY_WORKLOADS_FILE: path,
      OIDC_ISSUER: 'https://people.example',
      OIDC_CLIENT_ID: 'gateway',
    };
    return (await readConfiguration(environment, profile)).faults.filter((line) =>
      line.startsWith('GATEWAY_WORKLOADS_FILE'),
    );
  };

  it.each([
    [{ ...github, claims: {} }, 'entry 1 (github): claims must name at least one claim'],
    [
      { ...github, issuer: 'https://people.example' },
      "entry 1 (github): issuer is that of OIDC_ISSUER, whose tokens are people's",
    ],
    [
      { ...kubernetes, keysFile: 'absent.json' },
      /entry 1 \(cluster-1\): keysFile .*absent\.json cannot be read \(ENOENT\)/,
    ],
    [{ ...kubernetes, keysFile: 'platform.pem' }, 'platform.pem is not JSON'],
    [{ ...github, caFile: kubernetes.keysFile }, 'contains no PEM certificate that can be read'],
  ])('that cannot be used refuses the start and names the entry: %j', async (entry, fault) => {
    const faults = await faultsOf(rulesAt(entry));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(fault);
  });

  it('that is not there refuses the start', async () => {
    expect(await faultsOf(join(folder, 'no-such.json'))).toEqual([
      expect.stringContaining('cannot be read (ENOENT)') as string,
    ]);
  });
});
