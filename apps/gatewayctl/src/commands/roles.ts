import { namedRole } from '@gateway/contract/labels';
import { listRoles } from '@gateway/database/administration';
import type { Context } from '../context/context.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { printList } from '../output/list.ts';

/** `roles [SUBJECT]`: the role assignments, and who granted them. */
export async function runRoles(
  context: Context,
  subject: string | undefined,
  options: { readonly limit?: string },
): Promise<void> {
  const values = await withDatabase(context.environment, (sql) => listRoles(sql, subject ?? null));
  const listing = {
    header: ['SUBJECT', 'ROLE', 'PROJECT', 'GRANTED BY', 'AT'],
    values,
    row: (one: (typeof values)[number]) => [
      one.subject,
      namedRole(one.role),
      one.project ?? '',
      one.author,
      one.grantedAt,
    ],
    none: subject === undefined ? 'Nobody has a role.' : `${subject} has no role.`,
  };
  await printList(context, listing, options.limit);
}
