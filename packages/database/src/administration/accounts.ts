import { isDeepStrictEqual } from 'node:util';
import { v7 as uuid } from 'uuid';
import { arrayLiteral } from '../client/array-literal.ts';
import { type AccountKey, keyColumns } from '../queries/console/account-keys.ts';
import { type LockedUser, lockUsers, type User, userColumns } from '../queries/console/hosted/accounts.ts';
import { shapeOf } from '../queries/console/subjects.ts';
import { type Act, onlyRow } from './act.ts';

/** What administrators write of an account. */
export type AccountFields = Pick<User, 'displayName' | 'email' | 'plan' | 'enabled'>;

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
  act: Act,
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
async function refuseLookalike({ sql }: Act, username: string): Promise<void> {
  const [found] = await sql`
    select 1 from accounts where username <> ${username}
      and ${shapeOf(sql, sql`username`)} = ${shapeOf(sql, sql`${username}::text`)}
    limit 1`;
  if (found !== undefined) await sql.unsafe(`do $$ begin raise unique_violation; end $$`);
}

/** Changes a locked account. If `fields` has `enabled`, no project can undo it (console-19). */
export async function changeAccount(
  { sql, record }: Act,
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
export async function changeAccounts(act: Act, changes: readonly OneOfMany[]): Promise<readonly ChangeOutcome[]> {
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
export async function deleteAccount({ sql, record }: Act, account: LockedUser): Promise<void> {
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
export async function createKey(act: Act, account: Account, key: NewKey): Promise<AccountKey> {
  const after = await insertKey(act, account.id, key);
  act.record({ action: 'key.create', target: targetOf(account), before: null, after });
  return after;
}

/** Revokes a locked key. A key that was already revoked stays unchanged. */
export async function revokeKey(act: Act, account: Account, before: AccountKey): Promise<AccountKey> {
  const [after] = await endKeys(act, account.id, before.id);
  if (after === undefined) return before;
  act.record({ action: 'key.revoke', target: targetOf(account), before, after });
  return after;
}

/** Gives an account a new key and revokes the one with the id `old`; null: all that are in force (roles-3). */
export async function rotateKey(
  act: Act,
  account: Account,
  old: string | null,
  key: NewKey,
): Promise<{ readonly revoked: readonly AccountKey[]; readonly made: AccountKey }> {
  const revoked = await endKeys(act, account.id, old);
  const made = await insertKey(act, account.id, key);
  act.record({ action: 'key.rotate', target: targetOf(account), before: [...revoked], after: made });
  return { revoked, made };
}

async function insertKey({ sql }: Act, account: string, key: NewKey): Promise<AccountKey> {
  return onlyRow(
    await sql<AccountKey[]>`
    insert into account_keys (id, account_id, digest, last_four, label, expires_at, import_id)
    values (${uuid()}, ${account}, ${key.digest}, ${key.lastFour}, ${key.label}, ${key.expiresAt}::timestamptz, ${key.importId ?? null}::uuid)
    returning ${keyColumns(sql)}`,
  );
}

/** @returns the keys that were in force until now */
function endKeys({ sql }: Act, account: string, id: string | null): Promise<readonly AccountKey[]> {
  return sql<AccountKey[]>`
    update account_keys set revoked_at = now()
    where account_id = ${account} and (${id}::uuid is null or id = ${id}) and revoked_at is null
    returning ${keyColumns(sql)}`;
}
