import type { Role } from '@gateway/contract';
import postgres from 'postgres';
import { v7 as uuid } from 'uuid';
import type { Queryable, Sql } from '../connect.ts';
import { OperationRefused, type Operator, operate } from './operation.ts';

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

async function held(sql: Queryable, { subject, role, project }: Grant): Promise<HeldRole | null> {
  const [row] = await listRoles(sql, subject).then((all) =>
    all.filter((one) => one.role === role && one.project === project),
  );
  return row ?? null;
}

/** The roles of a subject, or of everybody, with who granted them. */
export async function listRoles(sql: Queryable, subject: string | null): Promise<readonly HeldRole[]> {
  const rows = await sql<(Omit<HeldRole, 'grantedAt'> & { grantedAt: Date })[]>`
    select subject, role, project, author, granted_at as "grantedAt" from role_assignments
    where ${subject}::text is null or subject = ${subject} order by subject, role, project`;
  return rows.map((row) => ({ ...row, grantedAt: row.grantedAt.toISOString() }));
}

/**
 * Grants a role. @returns false where the subject holds it already.
 * @throws OperationRefused with the specification's rule where administration and audit would meet in one subject.
 */
export async function grantRole(sql: Sql, operator: Operator, grant: Grant): Promise<boolean> {
  try {
    return await operate(sql, operator, async (at) => {
      const { author } = operator;
      const [row] = await at.sql`
        insert into role_assignments ${at.sql({ id: uuid(), ...grant, author })} on conflict do nothing returning id`;
      if (!row) return false;
      const after = { ...grant, author };
      await at.record({ action: 'role.grant', target: `subject:${grant.subject}`, before: null, after });
      return true;
    });
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.constraint_name === 'administration_excludes_audit') {
      throw new OperationRefused(`${grant.subject} was not granted ${grant.role}. ${error.message}`);
    }
    throw error;
  }
}

/** Takes a role away. @throws OperationRefused where the subject does not hold it. */
export async function revokeRole(sql: Sql, operator: Operator, grant: Grant): Promise<void> {
  await operate(sql, operator, async (at) => {
    const before = await held(at.sql, grant);
    if (!before) {
      const scope = grant.project === null ? '' : ` for the project ${grant.project}`;
      throw new OperationRefused(`${grant.subject} does not hold the role ${grant.role}${scope}.`);
    }
    await at.sql`
      delete from role_assignments
      where subject = ${grant.subject} and role = ${grant.role} and project is not distinct from ${grant.project}`;
    await at.record({ action: 'role.revoke', target: `subject:${grant.subject}`, before: { ...before }, after: null });
  });
}
