import { createHash } from 'node:crypto';
import { violationOf } from '@gateway/database/client/conditions';
import {
  type Administering,
  administering,
  allAtOnce,
  createTestDatabase,
  type TestDatabase,
} from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readKeyCaller } from '../session/console-sign-in.ts';
import { createAccount, deleteAccount } from './acts.ts';
import { listAccountKeys, lockAccountKey, lockUser } from './console.ts';
import { createKey, revokeKey, rotateKey } from './key-acts.ts';

let database: TestDatabase;
let administer: Administering;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
});
afterAll(() => database.drop());

const digestOf = (secret: string) => createHash('sha256').update(secret).digest();
const key = (secret: string, expiresAt: string | null = null) => ({
  digest: digestOf(secret),
  lastFour: secret.slice(-4),
  label: `key ${secret}`,
  expiresAt,
});
const open = async (username: string, ...secrets: readonly string[]) => {
  const fields = { username, displayName: null, email: null, plan: null, enabled: true };
  const { result } = await administer(async (act) => {
    const account = await createAccount(act, fields, null);
    for (const secret of secrets) await createKey(act, account, key(secret));
    return account;
  });
  return result;
};
/** The secrets among these that a caller can still use. */
const inForce = async (...secrets: readonly string[]) => {
  const found = await Promise.all(secrets.map((secret) => readKeyCaller(database.sql, digestOf(secret))));
  return secrets.filter((_, place) => found[place]?.keyRevoked === false && !found[place]?.keyExpired);
};

describe('a key', () => {
  it('is added to the ones that an account has, and recorded without its digest', async () => {
    const account = await open('ada', 'ada-first');
    const { result, entries } = await administer((act) => createKey(act, account, key('ada-second')));
    expect(await inForce('ada-first', 'ada-second')).toEqual(['ada-first', 'ada-second']);
    expect(entries).toMatchObject([
      { action: 'key.create', target: 'account:ada', before: null, after: { id: result.id, lastFour: 'cond' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(digestOf('ada-second').toString('hex'));
  });

  it('belongs to one account: the same key is refused to another', async () => {
    await open('first-owner', 'shared-secret');
    const other = await open('second-owner');
    const refused = await administer((act) => createKey(act, other, key('shared-secret'))).catch(violationOf);
    expect(refused).toEqual({ kind: 'taken', constraint: 'account_keys_digest_key' });
  });

  it('is revoked once: revoking it again changes nothing and is not recorded', async () => {
    const account = await open('grace', 'grace-first', 'grace-second');
    const [first] = await listAccountKeys(database.sql, account.id, { limit: 1, after: null, backwards: true });
    const revoke = () =>
      administer(async (act) => {
        const locked = await lockAccountKey(act.sql, account.id, first?.id ?? '');
        return locked && revokeKey(act, account, locked);
      });
    const once = await revoke();
    const again = await revoke();
    expect(once.entries).toMatchObject([{ action: 'key.revoke', before: { revokedAt: null } }]);
    expect(again).toEqual({ result: once.result, entries: [] });
    expect(await inForce('grace-first', 'grace-second')).toEqual(['grace-second']);
  });

  it('cannot be revoked in the name of another account', async () => {
    const account = await open('owner', 'owner-key');
    const stranger = await open('stranger');
    const [kept] = await listAccountKeys(database.sql, account.id, { limit: 1, after: null });
    const id = kept?.id ?? '';
    expect(await lockAccountKey(database.sql, stranger.id, id)).toBeUndefined();
    const { entries } = await administer((act) => rotateKey(act, stranger, id, key('stranger-key')));
    expect(entries).toMatchObject([{ action: 'key.rotate', before: [] }]);
    expect(await inForce('owner-key')).toEqual(['owner-key']);
  });

  it('is refused from its expiry on, and recorded with it', async () => {
    const account = await open('short');
    const past = '2026-01-01T00:00:00.000Z';
    const { entries } = await administer((act) => createKey(act, account, key('short-key', past)));
    expect(entries).toMatchObject([{ after: { expiresAt: past } }]);
    expect(await readKeyCaller(database.sql, digestOf('short-key'))).toMatchObject({ keyExpired: true });
  });
});

describe('a rotation', () => {
  it('of one key leaves the others in force', async () => {
    const account = await open('several', 'several-a', 'several-b');
    const kept = await listAccountKeys(database.sql, account.id, { limit: null, after: null });
    const old = kept.find(({ lastFour }) => lastFour === 'al-a');
    const { result } = await administer((act) => rotateKey(act, account, old?.id ?? '', key('several-c')));
    expect(result.revoked.map(({ id }) => id)).toEqual([old?.id]);
    expect(await inForce('several-a', 'several-b', 'several-c')).toEqual(['several-b', 'several-c']);
  });

  it('of all keys does not revoke again what was revoked before', async () => {
    const account = await open('rotated', 'rotated-a');
    await administer((act) => rotateKey(act, account, null, key('rotated-b')));
    const { result } = await administer((act) => rotateKey(act, account, null, key('rotated-c')));
    expect(result.revoked.map(({ label }) => label)).toEqual(['key rotated-b']);
    expect(await inForce('rotated-a', 'rotated-b', 'rotated-c')).toEqual(['rotated-c']);
  });

  it('leaves one key where two administrators rotate at the same moment', async () => {
    const account = await open('raced', 'raced-a');
    const rotate = (secret: string) => () =>
      administer(async (act) => {
        await lockUser(act.sql, { id: account.id });
        return rotateKey(act, account, null, key(secret));
      });
    const lock = `select from accounts where id = '${account.id}' for update`;
    await allAtOnce(database.sql, lock, rotate('raced-b'), rotate('raced-c'));
    const left = await inForce('raced-a', 'raced-b', 'raced-c');
    expect(left).toHaveLength(1);
    const entries = await database.sql<{ before: { id: string; label: string }[]; after: { id: string } }[]>`
      select old_value::json as before, new_value::json as after from administration_actions
      where action = 'key.rotate' and target = 'account:raced' order by sequence`;
    expect(entries[0]?.before.map(({ label }) => label)).toEqual(['key raced-a']);
    expect(entries[1]?.before.map(({ id }) => id)).toEqual([entries[0]?.after.id]);
  });
});

describe('an account', () => {
  it('takes its keys and the sessions they opened with it when it is deleted', async () => {
    const account = await open('leaving', 'leaving-key');
    const [kept] = await listAccountKeys(database.sql, account.id, { limit: 1, after: null });
    await database.sql`insert into console_sessions (digest, subject, expires_at, kind, key_id)
      values (${digestOf('session')}, 'leaving', now() + interval '1 hour', 'key', ${kept?.id ?? ''})`;
    await administer(async (act) => {
      const locked = await lockUser(act.sql, { id: account.id });
      if (locked) await deleteAccount(act, locked);
    });
    expect(await readKeyCaller(database.sql, digestOf('leaving-key'))).toBeUndefined();
    expect(await database.sql`select from console_sessions where subject = 'leaving'`).toHaveLength(0);
  });

  it.each([
    ['an empty username', ''],
    ['a username with a line break', 'ada\nroot'],
    ['a username of 256 characters', 'a'.repeat(256)],
  ])('with %s is refused, with its key', async (_, username) => {
    const fields = { username, displayName: null, email: null, plan: null, enabled: true };
    const secret = uuid();
    const refused = await administer((act) => createAccount(act, fields, key(secret))).catch(violationOf);
    expect(refused).toEqual({ kind: 'check', constraint: 'accounts_username_check' });
    expect(await readKeyCaller(database.sql, digestOf(secret))).toBeUndefined();
  });

  it('of one username is created once where two administrators create it at the same moment', async () => {
    const fields = { username: 'twin', displayName: null, email: null, plan: null, enabled: true };
    const create = () => administer((act) => createAccount(act, fields, null));
    const outcomes = await allAtOnce(database.sql, 'lock table accounts in share mode', create, create);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [reason] = outcomes.flatMap((one) => (one.status === 'rejected' ? [violationOf(one.reason)] : []));
    expect(reason).toEqual({ kind: 'taken', constraint: 'accounts_username_key' });
  });
});
