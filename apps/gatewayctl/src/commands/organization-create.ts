import { createOrganization } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { checkedOrganizationName, checkedOrganizationSlug } from '../operator/checked.ts';
import { withOperator } from '../operator/operator.ts';

/** `organization create SLUG NAME`: the unit whose policy a deployment serves (workstation-3). */
export async function runOrganizationCreate(
  context: Context,
  slugText: string,
  nameText: string,
  options: { readonly author?: string },
): Promise<void> {
  const [slug, name] = [checkedOrganizationSlug(slugText), checkedOrganizationName(nameText)];
  await withOperator(context, options.author, (sql, operator) => createOrganization(sql, operator, slug, name));
  await print(context, { slug, name }, [`Created the organization ${slug}.`]);
}
