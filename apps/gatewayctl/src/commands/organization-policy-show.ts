import { type Context, print } from '../context/context.ts';
import { checkOrganizationSlug } from '../operator/check.ts';
import { findOrganization } from '../operator/find.ts';
import { withDatabase } from '../operator/owner-database.ts';

/** `organization policy show SLUG`: what the organization imposes, with its revision, author and validity. */
export async function runOrganizationPolicyShow(context: Context, slugText: string): Promise<void> {
  const slug = checkOrganizationSlug(slugText);
  const { policy } = await withDatabase(context.environment, (sql) => findOrganization(sql, slug));
  const day = (at: Date | null) => at?.toISOString() ?? 'open';
  const lines =
    policy === null
      ? [`The organization ${slug} imposes nothing.`]
      : [
          `Revision ${policy.revision}, installed by ${policy.author} at ${policy.producedAt.toISOString()}`,
          `Valid from ${day(policy.validFrom)} until ${day(policy.validUntil)}`,
          JSON.stringify(policy.document, null, 2),
        ];
  await print(context, { organization: slug, policy }, lines);
}
