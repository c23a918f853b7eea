import { type DocumentFault, parseOrganizationPolicy } from '@gateway/contract';
import {
  createOrganization,
  installOrganizationPolicy,
  refuseOrganizationPolicy,
} from '@gateway/domain/organization/acts';
import { readOrganizations } from '@gateway/domain/organization/console';
import { parseValidity } from '@gateway/domain/organization/shape';
import { findRepeatedMember } from '@gateway/json';
import { maskText } from '@gateway/secrets';
import { checkOrganizationName, checkOrganizationSlug, secretFault } from '../context/check.ts';
import { CommandFailed, type Context, print } from '../context/context.ts';
import { findOrganization, readText } from '../context/find.ts';
import { printList } from '../context/list.ts';
import { withAct } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';

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

/**
 * `organization policy install SLUG FILE`: the console's validation, and its record of every attempt, refused ones included
 * (workstation-4).
 */
export async function runOrganizationPolicyInstall(
  context: Context,
  slugText: string,
  file: string,
  options: { readonly author?: string; readonly validFrom?: string; readonly validUntil?: string },
): Promise<void> {
  const slug = checkOrganizationSlug(slugText);
  const text = readText(file);
  const parsed = parse(text);
  const period = parseValidity(options);
  if ('faults' in parsed || 'faults' in period) {
    const faults = [...('faults' in parsed ? parsed.faults : []), ...('faults' in period ? period.faults : [])];
    const fault = faults.map(describe).join('; ');
    await withAct(context, options.author, async (act) => {
      await findOrganization(act.sql, slug);
      await refuseOrganizationPolicy(act, slug, { document: text, fault }, maskText);
    });
    throw new CommandFailed(`${file} was not installed. ${fault}`);
  }
  const policy = { document: parsed.policy, ...period.validity };
  const { revision } = await withAct(context, options.author, async (act) =>
    installOrganizationPolicy(act, await findOrganization(act.sql, slug), policy),
  );
  await print(context, { organization: slug, revision }, [
    `Revision ${revision} is imposed on the workstations of ${slug}.`,
  ]);
}

function describe({ path, reason }: DocumentFault): string {
  return `${path === '' ? 'the document' : path}: ${reason}`;
}

/** The policy in a file's text, or the faults of the text. */
function parse(text: string): ReturnType<typeof parseOrganizationPolicy> {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return { faults: [{ path: '', reason: 'is not JSON' }] };
  }
  const repeated = findRepeatedMember(text);
  if (repeated !== null) return { faults: [{ path: repeated, reason: 'is given more than once' }] };
  const secret = secretFault(text);
  if (secret !== null) return { faults: [{ path: '', reason: secret }] };
  return parseOrganizationPolicy(document);
}

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
