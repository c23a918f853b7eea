import { listOrganizations } from '@gateway/database/administration';
import type { Context } from '../context/context.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { printList } from '../output/list.ts';

/** `organization list`. */
export async function runOrganizationList(context: Context, options: { readonly limit?: string }): Promise<void> {
  const values = await withDatabase(context.environment, listOrganizations);
  const listing = {
    header: ['SLUG', 'NAME', 'POLICY'],
    values,
    row: ({ slug, name, policyRevision }: (typeof values)[number]) => [
      slug,
      name,
      policyRevision?.toString() ?? 'none',
    ],
    none: 'There is no organization.',
  };
  await printList(context, listing, options.limit);
}
