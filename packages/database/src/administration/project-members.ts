import type { Act } from '../audit-log/act.ts';
import { OperationRefused, type Operator, operate } from '../audit-log/operation.ts';
import type { Queryable, Sql } from '../client/connect.ts';

/** Somebody in a project, which its administrators list, enable and put on plans. */
export interface ProjectMember {
  readonly project: string;
  readonly subject: string;
  readonly addedBy: string;
  /** ISO 8601. */
  readonly addedAt: string;
}

type Row = Omit<ProjectMember, 'addedAt'> & { readonly addedAt: Date };

const columns = (sql: Queryable) => sql`project, subject, added_by as "addedBy", added_at as "addedAt"`;
const memberOf = (row: Row): ProjectMember => ({ ...row, addedAt: row.addedAt.toISOString() });
const targetOf = ({ project, subject }: ProjectMember) => `project:${project}/member:${subject}`;

/** The members of a project, by name, or of all of them. */
export async function listProjectMembers(sql: Queryable, project: string | null): Promise<readonly ProjectMember[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from project_members
    where ${project}::text is null or project = ${project} order by project, subject`;
  return rows.map(memberOf);
}

/** Adds a subject to a project; neither need be known yet. @returns false where it belongs to it already. */
export async function addProjectMember(
  sql: Sql,
  operator: Operator,
  project: string,
  subject: string,
): Promise<boolean> {
  return operate(sql, operator, (at) => addProjectMemberIn(at, operator.author, project, subject));
}

/** `addProjectMember` inside a transaction. */
export async function addProjectMemberIn(at: Act, author: string, project: string, subject: string): Promise<boolean> {
  const member = { project, subject, added_by: author };
  const [row] = await at.sql<Row[]>`
    insert into project_members ${at.sql(member)} on conflict do nothing returning ${columns(at.sql)}`;
  if (row === undefined) return false;
  const after = memberOf(row);
  await at.record({ action: 'member.add', target: targetOf(after), before: null, after: { ...after } });
  return true;
}

/** Takes a subject out of a project. @throws OperationRefused where it does not belong to it. */
export async function removeProjectMember(
  sql: Sql,
  operator: Operator,
  project: string,
  subject: string,
): Promise<void> {
  await operate(sql, operator, (at) => removeProjectMemberIn(at, project, subject));
}

/** `removeProjectMember` inside a transaction. */
export async function removeProjectMemberIn(at: Act, project: string, subject: string): Promise<void> {
  const [row] = await at.sql<Row[]>`
    delete from project_members where project = ${project} and subject = ${subject} returning ${columns(at.sql)}`;
  if (row === undefined) throw new OperationRefused(`${subject} is not a member of the project ${project}.`);
  const before = memberOf(row);
  await at.record({ action: 'member.remove', target: targetOf(before), before: { ...before }, after: null });
}
