import type { Role } from '@gateway/contract';
import postgres from 'postgres';
import { v7 as uuid } from 'uuid';
import type { Act } from '../audit-log/act.ts';
import { OperationRefused, type Operator, operate } from '../audit-log/operation.ts';
import type { Queryable, Sql } from '../client/connect.ts';

export interface Grant {
  readonly subject: string;
  readonly role: Role;
  /** For the roles that have a project scope, and only for them. */
  readonly project: string | null;
}

export interface HeldRole extends Grant {
  readonly author: string;
  /** ISO 8601. */
  readonly grantedAt: string;
}

type Row = Omit<HeldRole, 'grantedAt'> & { readonly grantedAt: Date };

const columns = (sql: Queryable) => sql`subject, role, project, author, granted_at as "grantedAt"`;

function heldRole(row: Row): HeldRole {
  return { ...row, grantedAt: row.grantedAt.toISOString() };
}

/** The roles of a subject, or of everybody, with who granted them. */
export async function listRoles(sql: Queryable, subject: string | null): Promise<readonly HeldRole[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from role_assignments
    where ${subject}::text is null or subject = ${subject} order by subject, role, project`;
  return rows.map(heldRole);
}

/**
 * Grants a role. @returns false where the subject holds it already.
 * @throws OperationRefused where administration and audit would meet in one subject (roles-12).
 */
export async function grantRole(sql: Sql, operator: Operator, grant: Grant): Promise<boolean> {
  return operate(sql, operator, (at) => grantRoleIn(at, operator.author, grant));
}

/** `grantRole` inside a transaction, which is lost where the schema refuses the grant. */
export async function grantRoleIn(at: Act, author: string, grant: Grant): Promise<boolean> {
  try {
    const [row] = await at.sql`
      insert into role_assignments ${at.sql({ id: uuid(), ...grant, author })} on conflict do nothing returning id`;
    if (!row) return false;
    const after = { ...grant, author };
    await at.record({ action: 'role.grant', target: `subject:${grant.subject}`, before: null, after });
    return true;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.constraint_name === 'administration_excludes_audit') {
      throw new OperationRefused(`${grant.subject} was not granted ${grant.role}. ${error.message}`);
    }
    throw error;
  }
}

/** Takes a role away. @throws OperationRefused where the subject does not hold it. */
export async function revokeRole(sql: Sql, operator: Operator, grant: Grant): Promise<void> {
  await operate(sql, operator, (at) => revokeRoleIn(at, grant));
}

/** `revokeRole` inside a transaction. */
export async function revokeRoleIn(at: Act, grant: Grant): Promise<void> {
  const [taken] = await at.sql<Row[]>`
      delete from role_assignments
      where subject = ${grant.subject} and role = ${grant.role} and project is not distinct from ${grant.project}
      returning ${columns(at.sql)}`;
  if (!taken) {
    const scope = grant.project === null ? '' : ` for the project ${grant.project}`;
    throw new OperationRefused(`${grant.subject} does not hold the role ${grant.role}${scope}.`);
  }
  const before = { ...heldRole(taken) };
  await at.record({ action: 'role.revoke', target: `subject:${grant.subject}`, before, after: null });
}
