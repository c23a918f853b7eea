import type { Queryable } from '../client/connect.ts';
import { type AccountKey, keyColumns } from '../queries/console/account-keys.ts';
import {
  type ProvisionedUser,
  provisionedColumns,
  type WrittenProvisionedUser,
} from '../queries/console/provisioned-users.ts';
import { revokeKey } from './accounts.ts';
import type { Act } from './act.ts';
import { onlyRow } from './only-row.ts';
import { removeMember } from './project-members.ts';
import { revokeSubject } from './revocations.ts';
import { revokeRole } from './roles.ts';

const targetOf = ({ subject }: ProvisionedUser): string => `subject:${subject}`;

const written = (sql: Queryable, user: WrittenProvisionedUser, id: { readonly id?: string } = {}) =>
  sql({
    subject: user.subject,
    user_name: user.userName,
    external_id: user.externalId,
    active: user.active,
    attributes: sql.json({ ...user.attributes }),
    ...id,
  } as never);

export async function createProvisionedUser(
  { sql, record }: Act,
  user: WrittenProvisionedUser,
): Promise<ProvisionedUser> {
  const after = onlyRow(
    await sql<ProvisionedUser[]>`
    insert into provisioned_users ${written(sql, user, { id: user.id })} returning ${provisionedColumns(sql)}`,
  );
  record({ action: 'scim-user.create', target: targetOf(after), before: null, after });
  return after;
}

/** Changes a locked user. */
export async function changeProvisionedUser(
  { sql, record }: Act,
  before: ProvisionedUser,
  user: WrittenProvisionedUser,
): Promise<ProvisionedUser> {
  const after = onlyRow(
    await sql<ProvisionedUser[]>`
    update provisioned_users set ${written(sql, user)}, modified_at = now()
    where id = ${before.id} returning ${provisionedColumns(sql)}`,
  );
  record({ action: 'scim-user.change', target: targetOf(before), before, after });
  return after;
}

/** Deletes a locked user. */
export async function deleteProvisionedUser({ sql, record }: Act, before: ProvisionedUser): Promise<void> {
  await sql`delete from provisioned_users where id = ${before.id}`;
  record({ action: 'scim-user.delete', target: targetOf(before), before, after: null });
}

/** Revokes a subject with its roles, memberships and keys, so that a later subject of that name inherits no right. */
export async function retireSubject(act: Act, subject: string, reason: string): Promise<void> {
  const { sql } = act;
  await revokeSubject(act, subject, reason);
  const keys = await sql<(AccountKey & { account: string })[]>`
    select ${keyColumns(sql)}, account_id as account from account_keys
    where revoked_at is null and account_id in (select id from accounts where username = ${subject}) for update`;
  for (const { account, ...key } of keys) await revokeKey(act, { id: account, username: subject }, key);
  const projects = await sql<{ project: string }[]>`
    select project from project_members where subject = ${subject} order by project`;
  for (const { project } of projects) await removeMember(act, project, subject);
  // Last: it takes the lock of the log, with which no other row may be waited for.
  const roles = await sql<{ id: string }[]>`select id from role_assignments where subject = ${subject} order by id`;
  for (const { id } of roles) await revokeRole(act, { id });
}
