import { readOrganizations } from '@gateway/database/console';
import type { Context } from '../context/context.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { printList } from '../output/list.ts';

/** `organization list`. */
export async function runOrganizationList(context: Context, options: { readonly limit?: string }): Promise<void> {
  const organizations = await withDatabase(context.environment, readOrganizations);
  const values = organizations.map(({ slug, name, policy }) => ({
    slug,
    name,
    policyRevision: policy?.revision ?? null,
  }));
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
