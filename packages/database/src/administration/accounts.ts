import { isDeepStrictEqual } from 'node:util';
import type { Role } from '@gateway/contract';
import { v7 as uuid } from 'uuid';
import { type Act, type Changed, type Changes, type Created, type Deleted, onlyRow } from '../audit-log/act.ts';
import { arrayLiteral } from '../client/array-literal.ts';
import { type AccountKey, keyColumns } from '../queries/console/account-keys.ts';
import { type LockedUser, lockUsers, type User, userColumns } from '../queries/console/hosted/accounts.ts';
import { shapeOf } from '../queries/console/subjects.ts';
import { grantRoles, type RoleChange } from './roles.ts';

type AccountChange = Changes<{
  readonly 'account.create': Created<User & { readonly keys: readonly AccountKey[] }>;
  readonly 'account.change': Changed<LockedUser>;
  readonly 'account.delete': Deleted<LockedUser & { readonly projects: readonly string[] }>;
}>;

/** What administrators write of an account. */
export type AccountFields = Pick<User, 'displayName' | 'email' | 'plan' | 'enabled'>;

export type KeyChange = Changes<{
  readonly 'key.create': Created<AccountKey>;
  readonly 'key.revoke': Changed<AccountKey>;
  /** The keys that were revoked, and the new one. */
  readonly 'key.rotate': { readonly before: readonly AccountKey[]; readonly after: AccountKey };
}>;

/** The stored form of a key: never the key itself. */
export interface NewKey {
  readonly digest: Buffer;
  readonly lastFour: string;
  readonly label: string;
  /** It is refused from this instant; null: until it is revoked. */
  readonly expiresAt: string | null;
  /** The import that makes it. */
  readonly importId?: string | null;
}

type Account = Pick<User, 'id' | 'username'>;

const targetOf = ({ username }: Pick<User, 'username'>): string => `account:${username}`;

/** Creates a local account with its first key. Without a key, no calls are possible as the account until one is issued. */
export async function createAccount(
  act: Act<AccountChange>,
  { username, displayName, email, plan, enabled }: Pick<User, 'username'> & AccountFields,
  key: NewKey | null,
): Promise<User> {
  await refuseLookalike(act, username);
  const account = onlyRow(
    await act.sql<User[]>`
    insert into accounts (id, username, origin, display_name, email, plan_id, enabled)
    values (${uuid()}, ${username}, 'local', ${displayName}, ${email}, ${plan}, ${enabled})
    returning ${userColumns(act.sql)}`,
  );
  const keys = key === null ? [] : [await insertKey(act, account.id, key)];
  act.record({
    action: 'account.create',
    target: targetOf(account),
    before: null,
    after: { ...account, keys },
  });
  return account;
}

/** A name that differs from another one only by case, compatibility form or letters that look the same counts as taken. */
async function refuseLookalike({ sql }: Pick<Act, 'sql'>, username: string): Promise<void> {
  const [found] = await sql`
    select 1 from accounts where username <> ${username}
      and ${shapeOf(sql, sql`username`)} = ${shapeOf(sql, sql`${username}::text`)}
    limit 1`;
  if (found !== undefined) await sql.unsafe(`do $$ begin raise unique_violation; end $$`);
}

/** Changes a locked account. If `fields` has `enabled`, no project can undo it (console-19). */
export async function changeAccount(
  { sql, record }: Act<AccountChange>,
  before: LockedUser,
  fields: Partial<AccountFields>,
): Promise<LockedUser> {
  const disabledByProject = before.disabledByProject && fields.enabled === undefined;
  const after = { ...before, ...fields, disabledByProject };
  await sql`
    update accounts set display_name = ${after.displayName}, email = ${after.email}, plan_id = ${after.plan},
      enabled = ${after.enabled}, disabled_by_project = ${disabledByProject}
    where id = ${before.id}`;
  record({ action: 'account.change', target: targetOf(before), before, after });
  return after;
}

/** What became of the change of one account: `absent` where there is none, `plan` where there is no such plan. */
export type ChangeOutcome = 'changed' | 'unchanged' | 'absent' | 'plan';

/** A change of an account among many. */
interface OneOfMany {
  readonly id: string;
  readonly plan?: string | null | undefined;
  readonly enabled?: boolean | undefined;
}

/** Changes many accounts, each by itself: one that is refused leaves the others. @returns the outcomes, in the order of the changes */
export async function changeAccounts(
  act: Act<AccountChange>,
  changes: readonly OneOfMany[],
): Promise<readonly ChangeOutcome[]> {
  const { sql, record } = act;
  const plans = new Set(
    (
      await sql<{ id: string }[]>`
        select id from plans where id = any (${arrayLiteral(changes.flatMap(({ plan }) => plan ?? []))}::text::uuid[]) for key share`
    ).map(({ id }) => id),
  );
  const locked = await lockUsers(
    sql,
    changes.map(({ id }) => id),
  );
  const written: (LockedUser & { readonly before: LockedUser })[] = [];
  const outcomes = changes.map(({ id, plan, enabled }): ChangeOutcome => {
    const before = locked.get(id.toLowerCase());
    if (before === undefined) return 'absent';
    if (plan != null && !plans.has(plan.toLowerCase())) return 'plan';
    const after = {
      ...before,
      plan: plan === undefined ? before.plan : plan,
      enabled: enabled ?? before.enabled,
      disabledByProject: before.disabledByProject && enabled === undefined,
    };
    if (isDeepStrictEqual(before, after)) return 'unchanged';
    written.push({ ...after, before });
    return 'changed';
  });
  const rows = written.map(({ id, plan, enabled, disabledByProject }) => ({ id, plan, enabled, disabledByProject }));
  await sql`
    update accounts set plan_id = one.plan, enabled = one.enabled, disabled_by_project = one."disabledByProject"
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      one (id uuid, plan uuid, enabled boolean, "disabledByProject" boolean)
    where accounts.id = one.id`;
  for (const { before, ...after } of written)
    record({ action: 'account.change', target: targetOf(before), before, after });
  return outcomes;
}

/**
 * Deletes a locked account with its keys, role assignments and memberships, so that a later account with the same username
 * inherits no right and belongs to no project. Its usage and acts stay in the logs.
 */
export async function deleteAccount({ sql, record }: Act<AccountChange>, account: LockedUser): Promise<void> {
  await sql`delete from role_assignments where subject = ${account.username}`;
  const left = await sql<{ project: string }[]>`
    delete from project_members where subject = ${account.username} returning project`;
  await sql`delete from accounts where id = ${account.id}`;
  const projects = left.map(({ project }) => project).toSorted();
  record({
    action: 'account.delete',
    target: targetOf(account),
    before: { ...account, projects },
    after: null,
  });
}

/** Gives an account one more key. */
export async function createKey(act: Act<KeyChange>, account: Account, key: NewKey): Promise<AccountKey> {
  const after = await insertKey(act, account.id, key);
  act.record({ action: 'key.create', target: targetOf(account), before: null, after });
  return after;
}

/** Revokes a locked key. A key that was already revoked stays unchanged. */
export async function revokeKey(act: Act<KeyChange>, account: Account, before: AccountKey): Promise<AccountKey> {
  const [after] = await endKeys(act, account.id, before.id);
  if (after === undefined) return before;
  act.record({ action: 'key.revoke', target: targetOf(account), before, after });
  return after;
}

/** Gives an account a new key and revokes the one with the id `old`; null: all that are in force (roles-3). */
export async function rotateKey(
  act: Act<KeyChange>,
  account: Account,
  old: string | null,
  key: NewKey,
): Promise<{ readonly revoked: readonly AccountKey[]; readonly made: AccountKey }> {
  const revoked = await endKeys(act, account.id, old);
  const made = await insertKey(act, account.id, key);
  act.record({ action: 'key.rotate', target: targetOf(account), before: [...revoked], after: made });
  return { revoked, made };
}

async function insertKey({ sql }: Pick<Act, 'sql'>, account: string, key: NewKey): Promise<AccountKey> {
  return onlyRow(
    await sql<AccountKey[]>`
    insert into account_keys (id, account_id, digest, last_four, label, expires_at, import_id)
    values (${uuid()}, ${account}, ${key.digest}, ${key.lastFour}, ${key.label}, ${key.expiresAt}::timestamptz, ${key.importId ?? null}::uuid)
    returning ${keyColumns(sql)}`,
  );
}

/** @returns the keys that were in force until now */
function endKeys({ sql }: Pick<Act, 'sql'>, account: string, id: string | null): Promise<readonly AccountKey[]> {
  return sql<AccountKey[]>`
    update account_keys set revoked_at = now()
    where account_id = ${account} and (${id}::uuid is null or id = ${id}) and revoked_at is null
    returning ${keyColumns(sql)}`;
}

/** An account to create, with its first key and perhaps a role. */
export interface ImportedAccount extends AccountFields {
  readonly username: string;
  readonly role: Role | null;
  readonly key: NewKey;
}

/** What became of one account: `excluded` where its name holds a role of the other pole; `plan` where there is none with this id. */
export type ImportOutcome = 'created' | 'exists' | 'reissued' | 'excluded' | 'plan';

/**
 * Creates accounts in one transaction, each refused by itself. The statements are few, whatever the number of accounts.
 * @param accounts of different names
 * @param importId what the keys belong to, so that they can be revoked together
 * @param reissue gives those that exist a new key, and revokes the old ones
 */
export async function importAccounts(
  act: Act<AccountChange | KeyChange | RoleChange>,
  accounts: readonly ImportedAccount[],
  reissue: boolean,
  importId: string | null,
): Promise<readonly ImportOutcome[]> {
  const { sql, author, record } = act;
  if (importId !== null)
    await sql`insert into account_imports ${sql({ id: importId, author })} on conflict (id) do nothing`;
  const plans = new Set(
    (
      await sql<{ id: string }[]>`
        select id from plans where id = any (${arrayLiteral(accounts.flatMap(({ plan }) => plan ?? []))}::text::uuid[]) for key share`
    ).map(({ id }) => id),
  );
  const sound = accounts.filter(({ plan }) => plan === null || plans.has(plan));
  const rows = sound.map(({ username, displayName, email, plan, enabled, key }) => {
    const { digest, ...described } = key;
    return {
      id: uuid(),
      username,
      displayName,
      email,
      plan,
      enabled,
      ...described,
      keyId: uuid(),
      digest: digest.toString('hex'),
    };
  });
  const given = JSON.stringify(rows);
  const created = await sql<User[]>`
    insert into accounts (id, username, origin, display_name, email, plan_id, enabled)
    select id, username, 'local', "displayName", email, plan, enabled
    from json_to_recordset(${given}::text::json)
      one (id uuid, username text, "displayName" text, email text, plan uuid, enabled boolean) order by username
    on conflict (username) do nothing returning ${userColumns(sql)}`;
  const keys = await sql<(AccountKey & { account: string })[]>`
    insert into account_keys (id, account_id, digest, last_four, label, expires_at, import_id)
    select one."keyId", account.id, decode(one.digest, 'hex'), one."lastFour", one.label, one."expiresAt", ${importId}::uuid
    from json_to_recordset(${given}::text::json)
      one (id uuid, "keyId" uuid, digest text, "lastFour" text, label text, "expiresAt" timestamptz)
    join accounts account on account.id = one.id
    returning id, account_id as account, label, last_four as "lastFour", created_at as "createdAt", expires_at as "expiresAt",
      revoked_at as "revokedAt"`;
  const keyOf = new Map(keys.map(({ account, ...key }) => [account, key]));
  const madeOf = new Map(created.map((account) => [account.username, account]));
  const wanting = sound.flatMap(({ username, role }) =>
    role !== null && madeOf.has(username) ? [{ subject: username, role, project: null }] : [],
  );
  const granted = await grantRoles(act, wanting);
  const excluded = new Set(wanting.flatMap(({ subject }, at) => (granted[at] === 'excluded' ? [subject] : [])));
  if (excluded.size > 0)
    await sql`delete from accounts where username = any (${arrayLiteral([...excluded])}::text::text[])`;
  for (const account of created) {
    const key = keyOf.get(account.id);
    if (excluded.has(account.username) || key === undefined) continue;
    record({
      action: 'account.create',
      target: `account:${account.username}`,
      before: null,
      after: { ...account, keys: [key] },
    });
  }
  const outcomes: ImportOutcome[] = [];
  for (const { username, plan, key } of accounts) {
    if (plan !== null && !plans.has(plan)) outcomes.push('plan');
    else if (excluded.has(username)) outcomes.push('excluded');
    else if (madeOf.has(username)) outcomes.push('created');
    else outcomes.push(reissue ? await reissueKey(act, username, { ...key, importId }) : 'exists');
  }
  return outcomes;
}

async function reissueKey(act: Act<KeyChange>, username: string, key: NewKey): Promise<ImportOutcome> {
  const [account] = await act.sql<{ id: string; username: string }[]>`
    select id, username from accounts where username = ${username} for update`;
  if (account === undefined) return 'exists';
  await rotateKey(act, account, null, key);
  return 'reissued';
}

type ImportChange = Changes<{ readonly 'import.revoke': Changed<{ readonly keysInForce: number }> }>;

/**
 * Revokes all keys in force that an import made, with one entry for the import and one for each key. The accounts stay.
 * @returns how many were revoked; undefined where there is no such import
 */
export async function revokeImportedKeys(
  { sql, record }: Act<ImportChange | KeyChange>,
  id: string,
): Promise<number | undefined> {
  const [found] = await sql`select from account_imports where id = ${id}`;
  if (found === undefined) return undefined;
  const revoked = await sql<(AccountKey & { readonly username: string })[]>`
    with ended as (
      update account_keys set revoked_at = now() where import_id = ${id} and revoked_at is null returning account_id, ${keyColumns(sql)}
    )
    select ended.*, account.username from ended join accounts account on account.id = ended.account_id order by username`;
  record({
    action: 'import.revoke',
    target: `import:${id}`,
    before: { keysInForce: revoked.length },
    after: { keysInForce: 0 },
  });
  for (const { username, id: key, label, lastFour, createdAt, expiresAt, revokedAt } of revoked) {
    const before = { id: key, label, lastFour, createdAt, expiresAt, revokedAt: null };
    record({ action: 'key.revoke', target: `account:${username}`, before, after: { ...before, revokedAt } });
  }
  return revoked.length;
}
