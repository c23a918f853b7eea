import { listProjectMembers } from '@gateway/database/administration';
import type { Context } from '../context/context.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { printList } from '../output/list.ts';

/** `project members PROJECT`: its members, and who added them. */
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
