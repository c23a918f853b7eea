import { type DocumentFault, parseOrganizationPolicy, parseValidity, storable } from '@gateway/contract';
import { installOrganizationPolicy, refuseOrganizationPolicy } from '@gateway/database/administration';
import { findRepeatedMember } from '@gateway/json';
import { maskText } from '@gateway/secrets';
import { type Context, print } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { readText } from '../context/text-file.ts';
import { checkOrganizationSlug } from '../operator/check.ts';
import { findOrganization } from '../operator/find.ts';
import { withAct } from '../operator/operator.ts';

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
    // As the console keeps it: no secret, and nothing that cannot be stored.
    const [kept, storedFault] = [text, fault].map((one) => maskText(storable(one))) as [string, string];
    await withAct(context, options.author, async (act) => {
      await findOrganization(act.sql, slug);
      await refuseOrganizationPolicy(act, slug, kept, storedFault);
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
  return parseOrganizationPolicy(document);
}
