import { type Act, refuseOrganizationPolicy, refusePolicy } from '@gateway/database/administration';
import { readOrganizations } from '@gateway/database/console';
import { kept } from './handed-in.ts';
import type { PlacedFault } from './read.ts';

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Keeps refused attempts to install a policy, with their author, as the commands for one policy do. */
export async function recordRefusedPolicies(act: Act, value: unknown, faults: readonly PlacedFault[]): Promise<void> {
  if (!isObject(value)) return;
  const cedar = faults.filter(({ path }) => path[0] === 'authorizationPolicy').map(({ sentence }) => sentence);
  const { authorizationPolicy } = value;
  if (cedar.length > 0) await refusePolicy(act, kept(shownValue(authorizationPolicy)), kept(cedar.join('; ')));

  const known = new Set((await readOrganizations(act.sql)).map(({ slug }) => slug));
  const organizations: readonly unknown[] = Array.isArray(value['organizations']) ? value['organizations'] : [];
  for (const [index, organization] of organizations.entries()) {
    const those = faults.filter(
      ({ path: [section, at, member] }) => section === 'organizations' && at === index && member === 'policy',
    );
    if (those.length === 0 || !isObject(organization)) continue;
    const { slug, policy } = organization;
    if (typeof slug !== 'string' || !known.has(slug)) continue;
    const fault = those.map(({ path, sentence }) => `${path.slice(3).join('.')} ${sentence}`.trim()).join('; ');
    await refuseOrganizationPolicy(act, slug, kept(shownValue(policy)), kept(fault));
  }
}

const shownValue = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'));
