import { listRoles } from '@gateway/database/owner';
import { type Context, print } from '../context.ts';
import { withDatabase } from '../owner-database.ts';
import { table } from '../table.ts';

/** `roles [SUBJECT]`: who holds what, and who granted it. */
export async function runRoles(context: Context, subject: string | undefined): Promise<void> {
  const roles = await withDatabase(context.environment, (sql) => listRoles(sql, subject ?? null));
  const rows = roles.map((one) => [one.subject, one.role, one.project ?? '', one.author, one.grantedAt]);
  const nobody = subject === undefined ? 'Nobody holds a role.' : `${subject} holds no role.`;
  const lines = rows.length > 0 ? table(['SUBJECT', 'ROLE', 'PROJECT', 'GRANTED BY', 'AT'], rows) : [nobody];
  await print(context, roles, lines);
}
