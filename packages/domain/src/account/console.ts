import { LOOKALIKE_LETTERS } from '@gateway/contract/legible';
import type { Queryable } from '@gateway/database';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { all, type Fragment, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, type InstantKey, type Page, type Rows, reading } from '@gateway/database/client/pages';
import { cost } from '../plan/console.ts';
import type { ScopedRole } from '../role/console.ts';

/** An account as the console shows it (console-9). */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly origin: 'local' | 'directory';
  readonly displayName: string | null;
  readonly email: string | null;
  readonly plan: string | null;
  readonly enabled: boolean;
  readonly revoked: boolean;
  readonly createdAt: Date;
  readonly roles: readonly ScopedRole[];
}

/** An account with what it did and has, for a list. */
export type ListedUser = User & {
  /** Euros of this month (UTC). */
  readonly spent: number;
  /** The last call that was relayed: with a key, or with usage, as calls with an identity token have it. */
  readonly lastCallAt: Date | null;
  /** When the first of its keys that still count ends; null where none does. */
  readonly keyEndsAt: Date | null;
};

/** An account that is locked in a transaction. */
export type LockedUser = User & {
  /** Whether a project disabled it: then a project may enable it again. */
  readonly disabledByProject: boolean;
};

/** Columns of a `User`. */
export const userColumns = (sql: Queryable) => sql`
  id, username, origin, display_name as "displayName", email, plan_id as plan, enabled, created_at as "createdAt",
  exists (select from subject_revocations where subject = accounts.username and lifted_at is null) as revoked,
  coalesce((select json_agg(json_build_object('role', role, 'project', project) order by role, project)
    from role_assignments where subject = accounts.username), '[]') as roles`;

const listedColumns = (sql: Queryable) => sql`
  coalesce((select sum(${cost(sql)})::float8 from usage_totals used left join model_prices price on price.model_id = used.model_id
    where used.subject = accounts.username and used.month = date_trunc('month', now() at time zone 'UTC')::date), 0) as spent,
  greatest((select max(last_used_at) from key_uses join account_keys k on k.id = key_id where k.account_id = accounts.id),
    (select max(timestamp) from request_logs where subject = accounts.username)) as "lastCallAt",
  (select min(expires_at) from account_keys k where k.account_id = accounts.id and revoked_at is null and expires_at > now())
    as "keyEndsAt"`;

export interface UserFilter {
  /** Any part of the username, display name or e-mail address, or the last four characters of a key. */
  readonly search: string | null;
  /** The id of a plan, or `none`. */
  readonly plan: string | null;
  readonly enabled: boolean | null;
  readonly username: string | null;
  /** A role that the account holds, in any project, or `none`. */
  readonly role: string | null;
  readonly state: 'enabled' | 'disabled' | 'revoked' | null;
}

const chosen = (sql: Queryable, filter: UserFilter) =>
  all(sql, [
    whenPresent(
      filter.search,
      (text) => sql`(
        position(lower(${text}) in lower(concat_ws(' ', username, display_name, email))) > 0
        or exists (select from account_keys where account_id = accounts.id and last_four = lower(${text}))
      )`,
    ),
    whenPresent(filter.plan, (plan) => (plan === 'none' ? sql`plan_id is null` : sql`plan_id = ${plan}`)),
    whenPresent(filter.role, (role) =>
      role === 'none'
        ? sql`not exists (select from role_assignments where subject = username)`
        : sql`exists (select from role_assignments where subject = username and role = ${role})`,
    ),
    whenPresent(filter.state, (state) => {
      const revoked = sql`exists (select from subject_revocations where subject = username and lifted_at is null)`;
      return state === 'revoked' ? revoked : sql`enabled = ${state === 'enabled'} and not ${revoked}`;
    }),
    whenPresent(filter.enabled, (enabled) => sql`enabled = ${enabled}`),
    whenPresent(filter.username, (username) => sql`username = ${username}`),
  ]);

/** Accounts by username. */
export function listUsers(
  sql: Queryable,
  filter: UserFilter,
  page: Page<readonly [username: string]>,
): Promise<ListedUser[]> {
  const { past, way } = reading(sql, 'ascending', page);
  const after = all(sql, [whenPresent(page.after, ([username]) => sql`username ${past} ${username}`)]);
  return addPosition<ListedUser>(
    sql,
    sql`
    select ${userColumns(sql)}, ${listedColumns(sql)} from accounts where ${chosen(sql, filter)} and ${after}`,
    sql`username ${way}`,
    page,
    'id',
    {
      plan: sql`(select name from plans where id = listed.plan)`,
      roles: sql`(select string_agg(held ->> 'role', ' ') from json_array_elements(listed.roles) held)`,
      state: sql`case when listed.revoked then 'revoked' when listed.enabled then 'enabled' else 'disabled' end`,
    },
  );
}

export async function isUser(sql: Queryable, id: string): Promise<boolean> {
  return (await sql`select from accounts where id = ${id}`).length > 0;
}

/** Reads accounts by their ids, and keeps them from changing until the transaction ends: in one order, so that none waits for another. */
export async function lockUsers(sql: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, LockedUser>> {
  const rows = await sql<LockedUser[]>`
    select ${userColumns(sql)}, disabled_by_project as "disabledByProject" from accounts
    where id = any (${arrayLiteral(ids)}::text::uuid[]) order by id for update`;
  return new Map(rows.map((user) => [user.id, user]));
}

/** Reads one account and keeps it from changing until the transaction ends. */
export async function lockUser(
  sql: Queryable,
  by: { readonly id: string } | { readonly username: string },
): Promise<LockedUser | undefined> {
  const which = 'id' in by ? sql`id = ${by.id}` : sql`username = ${by.username}`;
  const [row] = await sql<LockedUser[]>`
    select ${userColumns(sql)}, disabled_by_project as "disabledByProject" from accounts where ${which} for update`;
  return row;
}

/** An import of accounts, with what is left of the keys that it made. */
export interface AccountImport {
  readonly id: string;
  readonly author: string;
  readonly startedAt: Date;
  readonly keys: number;
  /** Keys that are neither revoked nor expired. */
  readonly keysInForce: number;
}

/** Imports, the newest first. */
export function listAccountImports(sql: Queryable, page: Page<InstantKey>): Rows<AccountImport> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(page.after, ([at, id]) => sql`(started_at, id) ${past} (${at}::timestamptz, ${id}::uuid)`),
  ]);
  return addPosition(
    sql,
    sql`
    select id, author, started_at as "startedAt",
      (select count(*)::float8 from account_keys where import_id = account_imports.id) as keys,
      (select count(*)::float8 from account_keys where import_id = account_imports.id and revoked_at is null
        and (expires_at is null or expires_at > now())) as "keysInForce"
    from account_imports where ${chosen}`,
    sql`started_at ${way}, id ${way}`,
    page,
  );
}

/** What a name looks like: names that differ by case, compatibility form or letters that look the same have one shape. */
export function shapeOf(sql: Queryable, name: Fragment): Fragment {
  const { from, to } = LOOKALIKE_LETTERS;
  return sql`translate(lower(normalize(${name}, NFKC)), ${from}, ${to})`;
}

/** An account's key as the console shows it: never the key, only what it ends in (roles-2). */
export interface AccountKey {
  readonly id: string;
  readonly label: string;
  readonly lastFour: string;
  readonly createdAt: Date;
  /** From this instant on it is refused; null: until it is revoked. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A key with its last use: for a relayed call, or in one of the newest entries of the decision log. */
export interface ListedKey extends AccountKey {
  /** Null where no call was relayed for it, and it is not among the newest entries of its account. */
  readonly lastUsedAt: Date | null;
}

/** Entries of an account that are scanned for what was not relayed: sign-ins to the console, and refusals. */
const CALLS_LOOKED_THROUGH = 10_000;

/** Columns of an `AccountKey`. */
export const keyColumns = (sql: Queryable) =>
  sql`id, label, last_four as "lastFour", created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"`;

/** Keys of one account, the newest first. */
export function listAccountKeys(
  sql: Queryable,
  account: string,
  page: Page<readonly [id: string]>,
): Promise<ListedKey[]> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [sql`account_id = ${account}`, whenPresent(page.after, ([id]) => sql`id ${past} ${id}`)]);
  const recent = sql`
    select key_id, at from authorization_decisions where subject = (select username from accounts where id = ${account})
    order by sequence desc limit ${CALLS_LOOKED_THROUGH}`;
  return addPosition<ListedKey>(
    sql,
    sql`
    select ${keyColumns(sql)}, greatest(used.at, relayed.last_used_at) as "lastUsedAt" from account_keys
      left join key_uses relayed on relayed.key_id = id
      left join (select key_id, max(at) as at from (${recent}) recent group by key_id) used on used.key_id = id
    where ${chosen}`,
    sql`id ${way}`,
    page,
  );
}

/** One key of an account, locked until the transaction ends. */
export async function lockAccountKey(sql: Queryable, account: string, id: string): Promise<AccountKey | undefined> {
  const [row] = await sql<AccountKey[]>`
    select ${keyColumns(sql)} from account_keys where id = ${id} and account_id = ${account} for update`;
  return row;
}
