import { isDeepStrictEqual } from 'node:util';
import {
  type Act,
  type Changed,
  type Changes,
  type Created,
  type Deleted,
  onlyRow,
} from '@gateway/database/audit-log/act';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { v7 as uuid } from 'uuid';
import type { AccountKey } from './console.ts';
import { type LockedUser, lockUsers, shapeOf, type User, userColumns } from './console.ts';
import { insertKey, type NewKey, targetOf } from './key-acts.ts';

export type AccountChange = Changes<{
  readonly 'account.create': Created<User & { readonly keys: readonly AccountKey[] }>;
  readonly 'account.change': Changed<LockedUser>;
  readonly 'account.delete': Deleted<LockedUser & { readonly projects: readonly string[] }>;
}>;

/** What administrators write of an account. */
export type AccountFields = Pick<User, 'displayName' | 'email' | 'plan' | 'enabled'>;

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
