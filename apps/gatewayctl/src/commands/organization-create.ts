import { createOrganization } from '@gateway/database/administration';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { checkOrganizationName, checkOrganizationSlug } from '../operator/check.ts';
import { withAct } from '../operator/operator.ts';

/** `organization create SLUG NAME`: the unit whose policy a deployment serves (workstation-3). */
export async function runOrganizationCreate(
  context: Context,
  slugText: string,
  nameText: string,
  options: { readonly author?: string },
): Promise<void> {
  const [slug, name] = [checkOrganizationSlug(slugText), checkOrganizationName(nameText)];
  const made = await withAct(context, options.author, (act) => createOrganization(act, { slug, name }));
  if (made === undefined) throw new CommandFailed(`There is an organization ${slug} already.`);
  await print(context, { slug, name }, [`Created the organization ${slug}.`]);
}
