import { v7 as uuid } from 'uuid';
import type { Act } from '../audit-log/act.ts';
import { OperationRefused, type Operator, operate } from '../audit-log/operation.ts';
import type { Queryable, Sql } from '../client/connect.ts';

export interface AccountEntry {
  readonly username: string;
  readonly origin: 'local' | 'directory';
  readonly enabled: boolean;
  /** Slug of the plan; null where none is attached. */
  readonly plan: string | null;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly createdAt: string;
  /** The keys in force, never more of one than its last four characters. */
  readonly keys: readonly {
    readonly label: string;
    readonly lastFour: string;
    readonly createdAt: string;
    readonly expiresAt: string | null;
  }[];
}

/** A key as it is kept: never the key itself. */
export interface KeptKey {
  readonly digest: Buffer;
  readonly lastFour: string;
  readonly label: string;
  /** From when on it is refused; null: until it is revoked. */
  readonly expiresAt: string | null;
}

export interface NewAccount {
  readonly username: string;
  readonly displayName: string | null;
  readonly email: string | null;
  /** Slug. */
  readonly plan: string | null;
}

/** A local account as it is written, but for its keys. */
export interface DescribedAccount extends NewAccount {
  readonly enabled: boolean;
}

const isoText = (sql: Queryable, column: 'created_at' | 'expires_at') =>
  sql`to_char(${sql(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export async function listAccounts(sql: Queryable): Promise<readonly AccountEntry[]> {
  const rows = await sql<(Omit<AccountEntry, 'createdAt'> & { createdAt: Date })[]>`
    select username, origin, enabled, display_name as "displayName", email, account.created_at as "createdAt",
      (select slug from plans where id = account.plan_id) as plan,
      coalesce((select json_agg(json_build_object('label', label, 'lastFour', last_four,
          'createdAt', ${isoText(sql, 'created_at')}, 'expiresAt', ${isoText(sql, 'expires_at')}) order by created_at)
        from account_keys where account_id = account.id and revoked_at is null and (expires_at is null or expires_at > now())), '[]') as keys
    from accounts account order by username`;
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
}

async function planId(sql: Queryable, slug: string | null): Promise<string | null> {
  if (slug === null) return null;
  const [plan] = await sql<{ id: string }[]>`select id from plans where slug = ${slug}`;
  if (!plan) throw new OperationRefused(`There is no plan ${slug}.`);
  return plan.id;
}

interface LockedAccount {
  readonly id: string;
  readonly enabled: boolean;
  readonly disabledByProject: boolean;
  readonly origin: string;
}

async function lockAccount(at: Act, username: string): Promise<LockedAccount> {
  const [account] = await at.sql<LockedAccount[]>`
    select id, enabled, disabled_by_project as "disabledByProject", origin from accounts where username = ${username} for update`;
  if (!account) throw new OperationRefused(`There is no account ${username}.`);
  return account;
}

/** What the administration log keeps of a key. */
const shownKey = ({ label, lastFour, expiresAt }: KeptKey) => ({ label, lastFour, expiresAt });

async function insertKey(at: Act, account: string, { digest, lastFour, label, expiresAt }: KeptKey): Promise<void> {
  await at.sql`
    insert into account_keys (id, account_id, digest, last_four, label, expires_at)
    values (${uuid()}, ${account}, ${digest}, ${lastFour}, ${label}, ${expiresAt}::timestamptz)`;
}

/** Creates a local account with its first key. @throws OperationRefused where the name is taken or the plan unknown. */
export async function createAccount(sql: Sql, operator: Operator, account: NewAccount, key: KeptKey): Promise<void> {
  await operate(sql, operator, (at) => createAccountIn(at, { ...account, enabled: true }, key));
}

/** `createAccount` inside a transaction. Without a key, nobody can call as the account until one is issued. */
export async function createAccountIn(at: Act, account: DescribedAccount, key: KeptKey | null): Promise<void> {
  const id = uuid();
  const { username, displayName, email, enabled } = account;
  const [made] = await at.sql`
    insert into accounts (id, username, origin, display_name, email, plan_id, enabled)
    values (${id}, ${username}, 'local', ${displayName}, ${email}, ${await planId(at.sql, account.plan)}, ${enabled})
    on conflict (username) do nothing returning id`;
  if (!made) throw new OperationRefused(`There is an account ${username} already.`);
  if (key !== null) await insertKey(at, id, key);
  const shown = key === null ? {} : { key: shownKey(key) };
  const after = { ...account, ...shown };
  await at.record({ action: 'account.create', target: `account:${username}`, before: null, after });
}

/** Changes what is written of a local account, inside a transaction. Who is disabled or enabled so is no project's to change. */
export async function changeAccountIn(at: Act, before: DescribedAccount, after: DescribedAccount): Promise<void> {
  const { id } = await lockAccount(at, before.username);
  const decided = before.enabled !== after.enabled;
  await at.sql`
    update accounts set display_name = ${after.displayName}, email = ${after.email},
      plan_id = ${await planId(at.sql, after.plan)}, enabled = ${after.enabled},
      disabled_by_project = disabled_by_project and not ${decided}
    where id = ${id}`;
  const values = { before: { ...before }, after: { ...after } };
  await at.record({ action: 'account.change', target: `account:${before.username}`, ...values });
}

/** Enables or disables an account; a disabled one no project enables any more. @returns false where it was so already. */
export async function setAccountEnabled(
  sql: Sql,
  operator: Operator,
  username: string,
  enabled: boolean,
): Promise<boolean> {
  return operate(sql, operator, async (at) => {
    const account = await lockAccount(at, username);
    if (account.enabled === enabled && !account.disabledByProject) return false;
    await at.sql`update accounts set enabled = ${enabled}, disabled_by_project = false where id = ${account.id}`;
    await at.record({
      action: 'account.change',
      target: `account:${username}`,
      before: { enabled: account.enabled, disabledByProject: account.disabledByProject },
      after: { enabled, disabledByProject: false },
    });
    return true;
  });
}

/**
 * Gives an account a new key and revokes those that were in force (roles-3). @returns how many those were.
 * @throws OperationRefused for an account of the directory, which has no keys.
 */
export async function rotateAccountKey(sql: Sql, operator: Operator, username: string, key: KeptKey): Promise<number> {
  return operate(sql, operator, async (at) => {
    const account = await lockAccount(at, username);
    if (account.origin !== 'local') {
      throw new OperationRefused(`${username} is an identity of the directory: it signs in there and has no key.`);
    }
    const revoked = await at.sql<{ label: string; lastFour: string }[]>`
      update account_keys set revoked_at = now() where account_id = ${account.id} and revoked_at is null
      returning label, last_four as "lastFour"`;
    await insertKey(at, account.id, key);
    await at.record({
      action: 'key.rotate',
      target: `account:${username}`,
      before: revoked.map(({ label, lastFour }) => ({ label, lastFour })),
      after: shownKey(key),
    });
    return revoked.length;
  });
}
