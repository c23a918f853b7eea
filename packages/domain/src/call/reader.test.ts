import { randomUUID } from 'node:crypto';
import { type Declare, digestOfKey, keyOf, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RelayFactsReader, RelayQuery } from './facts.ts';
import { declareFacts, type Facts, query } from './testing/facts.ts';

let declared: Facts;
let database: TestDatabase;
let declare: Declare;
let hosted: RelayFactsReader;
let restricted: RelayFactsReader;

const directory = (subject: string): RelayQuery['identity'] => ({ kind: 'directory', subject });

beforeAll(async () => {
  declared = await declareFacts();
  ({ database, declare } = declared);
  hosted = declared.reader(true);
  restricted = declared.reader(false);
});
afterAll(() => declared.end());

describe('the caller', () => {
  it('is found by the digest of a key, with its roles', async () => {
    await declare.grant('caller', 'administrateur-de-projet', 'one');
    await declare.grant('caller', 'administrateur-de-projet', 'two');
    const { account, roles, subjectRevoked } = await restricted.read(query('caller'));
    expect(account).toMatchObject({
      username: 'caller',
      origin: 'local',
      enabled: true,
      key: { revoked: false, expired: false },
    });
    expect(roles.toSorted()).toEqual(['administrateur-de-projet', 'utilisateur-standard']);
    expect(subjectRevoked).toBe(false);
  });

  it('is none for an unknown key', async () => {
    const facts = await restricted.read({ ...query('caller'), identity: { kind: 'key', digest: '00'.repeat(32) } });
    expect(facts).toMatchObject({ account: null, roles: [], subjectRevoked: false, endpoint: { name: 'chat' } });
  });

  it('may have a disabled account or a revoked key', async () => {
    await declare.account('disabled', { enabled: false });
    await declare.account('rotated');
    await database.sql`update account_keys set revoked_at = now() where digest = ${digestOfKey(keyOf('rotated'))}`;
    expect((await restricted.read(query('disabled'))).account?.enabled).toBe(false);
    expect((await restricted.read(query('rotated'))).account?.key?.revoked).toBe(true);
  });

  it('may have an expired key, from its instant on: also in a batch', async () => {
    for (const name of ['lapsed', 'lapsing']) await declare.account(name);
    const expire = (name: string, after: string) =>
      database.sql`update account_keys set expires_at = now() + ${after}::interval where digest = ${digestOfKey(keyOf(name))}`;
    await expire('lapsed', '0 seconds');
    await expire('lapsing', '1 hour');
    const names = ['lapsed', 'lapsing', 'caller'];
    const read = await Promise.all(names.map((name) => restricted.read(query(name))));
    expect(read.map(({ account }) => account?.key)).toMatchObject([
      { revoked: false, expired: true },
      { revoked: false, expired: false },
      { revoked: false, expired: false },
    ]);
    expect((await restricted.read(query('lapsed'))).account?.key).toMatchObject({ expired: true });
    await database.sql`update account_keys set revoked_at = now() where digest = ${digestOfKey(keyOf('lapsed'))}`;
    expect((await restricted.read(query('lapsed'))).account?.key).toMatchObject({ revoked: true, expired: false });
  });

  it('may be a subject of the identity provider, registered or not', async () => {
    await declare.account('registered', { origin: 'directory' });
    await declare.grant('unregistered', 'utilisateur-standard');
    expect(await restricted.read(query('', { identity: directory('registered') }))).toMatchObject({
      account: { username: 'registered', origin: 'directory', key: null },
      roles: [],
    });
    const unregistered = await restricted.read(query('', { identity: directory('unregistered') }));
    expect(unregistered).toMatchObject({ account: null, roles: ['utilisateur-standard'], subjectRevoked: false });
    await database.sql`insert into subject_revocations (id, subject, reason, author)
      values (${randomUUID()}, 'unregistered', 'r', 'a')`;
    expect((await restricted.read(query('', { identity: directory('unregistered') }))).subjectRevoked).toBe(true);
  });

  it('is never changed by SQL in what the caller sends', async () => {
    for (const text of ["' or '1'='1", '"}', '{', '\\', 'a,b', 'NULL', 'null', '', '\0', '\ud800', 'é😀']) {
      const facts = await restricted.read({ identity: directory(text), endpoint: text, session: text });
      expect(facts).toMatchObject({ account: null, endpoint: null, roles: [], sessionRevokedAt: null });
    }
  });
});

describe('a revocation', () => {
  it('applies from the next read on until it is lifted', async () => {
    await declare.account('revoked');
    const id = randomUUID();
    await database.sql`insert into subject_revocations (id, subject, reason, author) values (${id}, 'revoked', 'r', 'a')`;
    expect((await restricted.read(query('revoked'))).subjectRevoked).toBe(true);
    await database.sql`update subject_revocations set lifted_at = now(), lifted_by = 'a' where id = ${id}`;
    expect((await restricted.read(query('revoked'))).subjectRevoked).toBe(false);
  });

  it('of a session takes every session below it, also one that appears later, and stops at cycles', async () => {
    const revokedAt = new Date('2026-01-02T03:04:05.678Z');
    await database.sql`insert into agent_session_revocations (session, reason, author, revoked_at)
      values ('root', 'r', 'a', ${revokedAt})`;
    await database.sql`insert into agent_session_lineage (subject, session, parent_session, author)
      values ('caller', 'child', 'root', 'caller'), ('caller', 'grandchild', 'child', 'caller'),
        ('caller', 'round', 'about', 'caller'), ('caller', 'about', 'round', 'caller')`;
    const at = async (session: string) => (await restricted.read(query('caller', { session }))).sessionRevokedAt;
    expect(await at('root')).toEqual(revokedAt);
    expect(await at('child')).toEqual(revokedAt);
    expect(await at('grandchild')).toEqual(revokedAt);
    expect(await at('round')).toBeNull();
    expect(await at('later')).toBeNull();
    await database.sql`insert into agent_session_lineage (subject, session, parent_session, author)
      values ('caller', 'later', 'grandchild', 'caller')`;
    expect(await at('later')).toEqual(revokedAt);
    await database.sql`insert into agent_session_revocations (session, reason, author) values ('child', 'r', 'a')`;
    expect(await at('child'), 'the first of its line').toEqual(revokedAt);
    await declare.account('another');
    const asked = [query('another', { session: 'child' }), query('another', { session: 'grandchild' })];
    expect((await restricted.read(query('another', { session: 'grandchild' }))).sessionRevokedAt).toBeNull();
    const [child, grandchild, own] = await Promise.all(
      [...asked, query('caller', { session: 'grandchild' })].map((one) => restricted.read(one)),
    );
    expect(child?.sessionRevokedAt, 'revoked itself, by any name').not.toBeNull();
    expect([grandchild?.sessionRevokedAt, own?.sessionRevokedAt]).toEqual([null, revokedAt]);
  });
});

describe('an endpoint', () => {
  it('is returned with its model and provider', async () => {
    expect((await restricted.read(query('caller'))).endpoint).toMatchObject({
      name: 'chat',
      active: true,
      modelSlug: 'small',
      provider: { slug: 'engine', baseUrl: 'http://127.0.0.1:1/v1', apiKeyEnv: 'ENGINE_KEY', apiKeyHeader: null },
    });
    expect((await restricted.read(query('caller', { endpoint: 'Off' }))).endpoint?.active).toBe(false);
    expect((await restricted.read(query('caller', { endpoint: 'off' }))).endpoint).toBeNull();
  });

  it('is returned with its standby, queried alone and with others', async () => {
    const provider = await declare.provider('spare', { baseUrl: 'https://spare.example', apiKeyHeader: 'x-key' });
    const model = await declare.model(provider, 'sp"are');
    const first = (await restricted.read(query('caller'))).endpoint;
    expect(first?.standby).toBeNull();
    await declare.endpoint('spared', first?.modelId ?? '', true, model);
    const asked = query('caller', { endpoint: 'spared' });
    for (const facts of [
      await restricted.read(asked),
      ...(await Promise.all([asked, asked].map((one) => hosted.read(one)))),
    ])
      expect(facts.endpoint?.standby).toEqual({
        modelId: model,
        modelSlug: 'sp"are',
        provider: {
          id: provider,
          slug: 'spare',
          baseUrl: 'https://spare.example',
          apiKeyEnv: null,
          apiKeyHeader: 'x-key',
        },
      });
    await database.sql`delete from endpoints where name = 'spared'`;
  });

  it('is listed while it is active, sorted by code point', async () => {
    const [{ id } = { id: '' }] = await database.sql<{ id: string }[]>`select id from models limit 1`;
    await declare.endpoint('alpha', id);
    await declare.endpoint('Zulu', id);
    expect(await restricted.activeEndpointNames()).toEqual(['Zulu', 'alpha', 'chat']);
  });
});

describe('billing', () => {
  const spend = (subject: string, model: string, input: number, output: number, at = new Date()) =>
    database.sql`insert into request_logs values (${randomUUID()}, ${at}, ${subject}, 'chat', 'small', ${model},
      ${input}, ${output}, 1, 'reported', false)`;
  const modelId = async () => (await hosted.read(query('caller'))).endpoint?.modelId ?? '';

  it('is not read where the profile has none', async () => {
    expect((await restricted.read(query('caller'))).billing).toBeNull();
  });

  it('distinguishes a missing plan, a plan without a cap, and a cap that is reached', async () => {
    const model = await modelId();
    await declare.account('planless');
    await declare.account('uncapped', { plan: await declare.plan('none', null) });
    await declare.account('capped', { plan: await declare.plan('capped', 0.05) });
    await spend('uncapped', model, 1_000_000, 0);
    expect((await hosted.read(query('planless'))).billing).toEqual({ plan: false, capReached: false });
    expect((await hosted.read(query('uncapped'))).billing).toEqual({ plan: true, capReached: false });
    const billing = async () => (await hosted.read(query('capped'))).billing;
    expect(await billing()).toEqual({ plan: true, capReached: false });
    await spend('capped', model, 11, 7);
    expect(await billing()).toEqual({ plan: true, capReached: false });
    await spend('capped', model, 11, 7);
    expect(await billing(), 'spending equal to the cap').toEqual({ plan: true, capReached: true });
  });

  it('recalculates with the current prices, keeps a deleted model’s last price, and begins again each month', async () => {
    const provider = await declare.provider('second');
    const model = await declare.model(provider, 'repriced', { input: 1, output: 1 });
    await declare.account('recounted', { plan: await declare.plan('one', 1) });
    const reached = async () => (await hosted.read(query('recounted'))).billing;
    await spend('recounted', model, 100, 0, new Date(Date.now() - 32 * 86_400_000));
    expect(await reached(), 'last month').toEqual({ plan: true, capReached: false });
    await spend('recounted', model, 1, 0);
    expect(await reached()).toEqual({ plan: true, capReached: true });
    await database.sql`update models set input_price = 0.1 where id = ${model}`;
    expect(await reached()).toEqual({ plan: true, capReached: false });
    await database.sql`update models set input_price = 1 where id = ${model}`;
    await database.sql`delete from models where id = ${model}`;
    expect(await reached()).toEqual({ plan: true, capReached: true });
  });

  it('with a cap of zero is reached immediately', async () => {
    await declare.account('zero', { plan: await declare.plan('zero', 0) });
    expect((await hosted.read(query('zero'))).billing).toEqual({ plan: true, capReached: true });
  });

  it.each(['request_logs', 'usage_totals', 'plans'])('is unavailable while %s alone is locked', async (table) => {
    const release = await lock(table);
    const facts = await hosted.read(query('caller'));
    expect(facts).toMatchObject({
      billing: 'unavailable',
      account: { username: 'caller' },
      endpoint: { name: 'chat' },
    });
    await release();
    expect((await hosted.read(query('caller'))).billing).not.toBe('unavailable');
  });
});

async function lock(table: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const let_go = Promise.withResolvers<void>();
  const transaction = database.sql.begin(async (sql) => {
    await sql.unsafe(`lock table ${table} in access exclusive mode`);
    held.resolve();
    await let_go.promise;
  });
  await held.promise;
  return async () => {
    let_go.resolve();
    await transaction;
  };
}

describe('a batch', () => {
  it('gives each of many concurrent queries its own answer', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `many-${index}`);
    for (const [index, name] of names.entries()) {
      await declare.account(name, { enabled: index % 2 === 0 });
      if (index % 3 === 0) await declare.grant(name, 'utilisateur-standard');
    }
    const asked = Array.from({ length: 500 }, (_, index) => index);
    const answers = await Promise.all(
      asked.map((index) =>
        hosted.read(
          query(names[index % names.length] ?? '', {
            endpoint: index % 7 === 0 ? 'nowhere' : 'chat',
            session: index % 5 === 0 ? 'root' : null,
          }),
        ),
      ),
    );
    for (const [index, facts] of answers.entries()) {
      const place = index % names.length;
      expect(facts.account).toMatchObject({ username: names[place], enabled: place % 2 === 0 });
      expect(facts.roles).toEqual(place % 3 === 0 ? ['utilisateur-standard'] : []);
      expect(facts.endpoint === null).toBe(index % 7 === 0);
      expect(facts.sessionRevokedAt !== null).toBe(index % 5 === 0);
    }
  });

  it('answers as each query would be answered alone', async () => {
    const identities: RelayQuery['identity'][] = [
      ...['caller', 'disabled', 'rotated', 'capped', 'nobody'].map((name) => query(name).identity),
      ...['registered', 'unregistered', 'caller', 'nobody', '\0'].map(directory),
    ];
    const queries = identities.flatMap((identity) =>
      ['chat', 'Off', 'nowhere'].flatMap((endpoint) =>
        [null, 'root', 'child', 'other'].map((session): RelayQuery => ({ identity, endpoint, session })),
      ),
    );
    for (const one of [hosted, restricted]) {
      const together = await Promise.all(queries.map((asked) => one.read(asked)));
      for (const [index, asked] of queries.entries()) expect(together[index]).toEqual(await one.read(asked));
    }
  });

  it('refuses all when a table of identities or rights is locked', async () => {
    const release = await lock('role_assignments');
    await expect(hosted.read(query('caller'))).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    await release();
    expect((await hosted.read(query('caller'))).account?.username).toBe('caller');
  });
});
