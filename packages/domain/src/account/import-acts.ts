import type { Role } from '@gateway/contract';
import type { Act, Changed, Changes } from '@gateway/database/audit-log/act';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { v7 as uuid } from 'uuid';
import { grantRoles, type RoleChange } from '../role/acts.ts';
import type { AccountChange, AccountFields } from './acts.ts';
import { type AccountKey, keyColumns, type User, userColumns } from './console.ts';
import { type KeyChange, type NewKey, rotateKey } from './key-acts.ts';

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
