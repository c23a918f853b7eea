import { listOrganizations } from '@gateway/database/owner';
import { type Context, print } from '../context.ts';
import { withDatabase } from '../owner-database.ts';
import { table } from '../table.ts';

/** `organization list`. */
export async function runOrganizationList(context: Context): Promise<void> {
  const organizations = await withDatabase(context.environment, listOrganizations);
  const rows = organizations.map(({ slug, name, policyRevision }) => [
    slug,
    name,
    policyRevision?.toString() ?? 'none',
  ]);
  const lines = rows.length > 0 ? table(['SLUG', 'NAME', 'POLICY'], rows) : ['There is no organization.'];
  await print(context, organizations, lines);
}
