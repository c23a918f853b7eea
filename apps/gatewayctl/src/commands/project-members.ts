import { listProjectMembers } from '@gateway/database/administration';
import type { Context } from '../context.ts';
import { printList } from '../list.ts';
import { withDatabase } from '../owner-database.ts';

/** `project members PROJECT`: who belongs to it, and who added them. */
export async function runProjectMembers(
  context: Context,
  project: string,
  options: { readonly limit?: string },
): Promise<void> {
  const values = await withDatabase(context.environment, (sql) => listProjectMembers(sql, project));
  const listing = {
    header: ['SUBJECT', 'ADDED BY', 'AT'],
    values,
    row: ({ subject, addedBy, addedAt }: (typeof values)[number]) => [subject, addedBy, addedAt],
    none: `Nobody is a member of the project ${project}.`,
  };
  await printList(context, listing, options.limit);
}
