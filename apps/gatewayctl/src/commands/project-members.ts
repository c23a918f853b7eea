import { listProjectMembers } from '@gateway/database/owner';
import { type Context, print } from '../context.ts';
import { withDatabase } from '../owner-database.ts';
import { table } from '../table.ts';

/** `project members PROJECT`: who belongs to it, and who added them. */
export async function runProjectMembers(context: Context, project: string): Promise<void> {
  const members = await withDatabase(context.environment, (sql) => listProjectMembers(sql, project));
  const rows = members.map(({ subject, addedBy, addedAt }) => [subject, addedBy, addedAt]);
  const nobody = `Nobody is a member of the project ${project}.`;
  await print(context, members, rows.length > 0 ? table(['SUBJECT', 'ADDED BY', 'AT'], rows) : [nobody]);
}
