import { createHash } from 'node:crypto';
import {
  createTestDatabase,
  type Declare,
  declaring,
  digestOfKey,
  keyOf,
  type TestDatabase,
} from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  admitOidcPerson,
  closeSession,
  isPairSession,
  openSession,
  readKeyCaller,
  readKeySessionCaller,
  readSessionCaller,
  spendSignIn,
} from '../session/console-sign-in.ts';

let database: TestDatabase;
let declare: Declare;
beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
});
afterAll(() => database.drop());

const digest = (secret: string) => createHash('sha256').update(secret).digest();
const byKey = (username: string) => readKeyCaller(database.sql, digestOfKey(keyOf(username)));
const open = (secret: string, subject: string, more: Partial<Parameters<typeof openSession>[1]> = {}) =>
  openSession(database.sql, { digest: digest(secret), subject, lifetimeSeconds: 600, replaces: null, ...more });
const keyId = async (username: string) =>
  (await database.sql<{ id: string }[]>`select id from account_keys where digest = ${digestOfKey(keyOf(username))}`)[0]
    ?.id ?? '';

describe('the caller with a key', () => {
  it('is described with all that may refuse it', async () => {
    await declare.account('ada');
    expect(await byKey('ada')).toEqual({
      subject: 'ada',
      keyId: await keyId('ada'),
      keyRevoked: false,
      keyExpired: false,
      accountEnabled: true,
      subjectRevoked: false,
      roles: [],
      policy: null,
    });
    await declare.account('off', { enabled: false });
    await database.sql`update account_keys set revoked_at = now(), expires_at = now() where digest = ${digestOfKey(keyOf('off'))}`;
    await database.sql`
      insert into subject_revocations (id, subject, reason, author) values (gen_random_uuid(), 'off', 'left', 'a')`;
    expect(await byKey('off')).toMatchObject({
      keyRevoked: true,
      keyExpired: true,
      accountEnabled: false,
      subjectRevoked: true,
    });
    expect(await byKey('unknown')).toBeUndefined();
  });

  it('has the roles of the instance and of each project, and nobody else’s', async () => {
    await declare.account('roles');
    await declare.grant('roles', 'administrateur-de-projet', 'apollo');
    await declare.grant('roles', 'utilisateur-standard');
    await declare.grant('rolesmore', 'auditeur');
    const roles = (await byKey('roles'))?.roles ?? [];
    expect(roles.map(({ role, project }) => `${role} ${project}`).toSorted()).toEqual([
      'administrateur-de-projet apollo',
      'utilisateur-standard null',
    ]);
  });

  it('is under the newest policy, and under none where that one is empty', async () => {
    const { sql } = database;
    await declare.account('policed');
    await sql`insert into authorization_policies (revision, cedar, author) values (1, 'permit(principal, action, resource);', 'a')`;
    expect((await byKey('policed'))?.policy).toEqual({ number: 1, installedAt: expect.stringMatching(/^\d+\.\d{6}$/) });
    await sql`insert into authorization_policies (revision, cedar, author) values (2, ${' \n\t'}, 'a')`;
    expect((await byKey('policed'))?.policy).toBeNull();
  });
});

describe('a session of the identity provider', () => {
  it('names its subject until it is closed', async () => {
    await open('mine', 'bob');
    expect(await readSessionCaller(database.sql, digest('mine'))).toMatchObject({
      subject: 'bob',
      keyId: null,
      accountEnabled: true,
    });
    await closeSession(database.sql, digest('mine'));
    await closeSession(database.sql, digest('mine'));
    expect(await readSessionCaller(database.sql, digest('mine'))).toBeUndefined();
  });

  it('ends with its lifetime, and is removed when the next one opens', async () => {
    await open('short', 'bob', { lifetimeSeconds: 0 });
    expect(await readSessionCaller(database.sql, digest('short'))).toBeUndefined();
    await open('next', 'bob');
    expect(await database.sql`select from console_sessions where digest = ${digest('short')}`).toHaveLength(0);
  });

  it('replaces the one that the browser had, and no other of the same subject', async () => {
    await open('first', 'carol');
    await open('other browser', 'carol');
    await open('second', 'carol', { replaces: digest('first') });
    const found = await Promise.all(
      ['first', 'other browser', 'second'].map((secret) => readSessionCaller(database.sql, digest(secret))),
    );
    expect(found.map((one) => one?.subject)).toEqual([undefined, 'carol', 'carol']);
  });

  // roles-8
  it('is refused under the name of a local account, and with a disabled one', async () => {
    await declare.account('local-name');
    await open('as local', 'local-name');
    expect(await readSessionCaller(database.sql, digest('as local'))).toMatchObject({ accountEnabled: false });
    await declare.account('disabled', { origin: 'directory', enabled: false });
    await open('as disabled', 'disabled');
    expect(await readSessionCaller(database.sql, digest('as disabled'))).toMatchObject({ accountEnabled: false });
  });
});

describe('the kinds of sessions', () => {
  it('are never taken for one another', async () => {
    await declare.account('keyed');
    await open('pair', 'shared-pair', { kind: 'pair' });
    await open('key', 'keyed', { kind: 'key', keyId: await keyId('keyed') });
    await open('person', 'dan');
    const found = await Promise.all(
      ['pair', 'key', 'person'].map(async (secret) => [
        await isPairSession(database.sql, digest(secret)),
        (await readKeySessionCaller(database.sql, digest(secret)))?.subject,
        (await readSessionCaller(database.sql, digest(secret)))?.subject,
      ]),
    );
    expect(found).toEqual([
      [true, undefined, undefined],
      [false, 'keyed', undefined],
      [false, undefined, 'dan'],
    ]);
  });

  it('with a key end with it', async () => {
    await declare.account('leaving');
    await open('by key', 'leaving', { kind: 'key', keyId: await keyId('leaving') });
    await database.sql`update account_keys set expires_at = now() where id = ${await keyId('leaving')}`;
    expect(await readKeySessionCaller(database.sql, digest('by key'))).toMatchObject({ keyExpired: true });
    await database.sql`delete from accounts where username = 'leaving'`;
    expect(await readKeySessionCaller(database.sql, digest('by key'))).toBeUndefined();
  });

  it('of the shared pair end with their lifetime', async () => {
    await open('pair in time', 'shared-pair', { kind: 'pair', lifetimeSeconds: 600 });
    await open('pair too late', 'shared-pair', { kind: 'pair', lifetimeSeconds: 0 });
    expect(await isPairSession(database.sql, digest('pair in time'))).toBe(true);
    expect(await isPairSession(database.sql, digest('pair too late'))).toBe(false);
  });

  it.each([
    ['a key without its id', { kind: 'key' as const }],
    ['a person with a key', { kind: 'directory' as const, keyId: '00000000-0000-4000-8000-000000000000' }],
  ])('do not mix: %s is refused', async (_, more) => {
    await expect(open('mixed', 'eve', more)).rejects.toMatchObject({ code: '23514' });
  });
});

describe('the return from the identity provider', () => {
  it('counts once, also where the browser sends it twice at the same moment', async () => {
    const all = await Promise.all([1, 2, 3].map(() => spendSignIn(database.sql, digest('state'), 600)));
    expect(all.filter(Boolean)).toHaveLength(1);
    expect(await spendSignIn(database.sql, digest('another state'), 600)).toBe(true);
  });

  it('is forgotten after its lifetime, so that the table does not grow', async () => {
    await spendSignIn(database.sql, digest('old'), 0);
    await spendSignIn(database.sql, digest('new'), 600);
    const kept = await database.sql`select from console_sign_ins where digest in (${digest('old')}, ${digest('new')})`;
    expect(kept).toHaveLength(1);
  });
});

describe('a person of the identity provider', () => {
  const admit = (subject: string, displayName: string | null = null) =>
    admitOidcPerson(database.sql, crypto.randomUUID(), { subject, displayName, email: null });
  const nameOf = async (username: string) =>
    (
      await database.sql<
        { name: string | null }[]
      >`select display_name as name from accounts where username = ${username}`
    )[0]?.name;

  it('is registered at the first sign-in without any right, and renamed at later ones', async () => {
    expect(await admit('frank', 'Frank')).toBe(true);
    expect(await admit('frank', 'Frank 2')).toBe(true);
    expect(await nameOf('frank')).toBe('Frank 2');
    expect(await database.sql`select from role_assignments where subject = 'frank'`).toHaveLength(0);
  });

  it('is registered once where two browsers sign in at the same moment', async () => {
    expect(await Promise.all([admit('gina', 'Gina'), admit('gina', 'Gina')])).toEqual([true, true]);
    expect(await database.sql`select from accounts where username = 'gina'`).toHaveLength(1);
  });

  it('with the name of a local account is not admitted, and changes nothing of it', async () => {
    await declare.account('hana');
    expect(await admit('hana', 'Somebody')).toBe(false);
    expect(await nameOf('hana')).toBeNull();
  });

  it('with a disabled account is not admitted, and stays disabled', async () => {
    await declare.account('ivan', { origin: 'directory', enabled: false });
    expect(await admit('ivan', 'Ivan')).toBe(false);
    expect(await database.sql`select from accounts where username = 'ivan' and enabled`).toHaveLength(0);
  });
});
