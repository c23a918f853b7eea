import type { JsonValue } from '@gateway/ledger';
import type { Act } from '../../audit-log/act.ts';
import { type ImposedPolicy, imposePolicy, type Organization } from './organizations.ts';
import { installPolicy, type PolicyRevision } from './policies.ts';
import { keepPolicyAttempt } from './policy-attempts.ts';

type Authored<Policy> = Policy & { readonly author: string };

/** Puts the next revision in force; the attempt and the act tell of it. */
export async function installAuthorizationPolicy(
  { sql, record }: Act,
  policy: Authored<{ readonly cedar: string }>,
): Promise<PolicyRevision> {
  const { before, after } = await installPolicy(sql, policy);
  const { author, cedar: document } = policy;
  await keepPolicyAttempt(sql, { author, document, organization: null }, { revision: after.revision });
  await record({ action: 'policy.install', target: 'policy', before: plain(before), after: plain(after) });
  return after;
}

/** Keeps an attempt that was refused (roles-17). */
export async function refuseAuthorizationPolicy(
  { sql, record }: Act,
  { author, cedar }: Authored<{ readonly cedar: string }>,
  fault: string,
): Promise<void> {
  await keepPolicyAttempt(sql, { author, document: cedar, organization: null }, { fault });
  await record({ action: 'policy.refuse', target: 'policy', before: null, after: { cedar, fault } });
}

/** Imposes the next revision on the workstations of an organization; the attempt and the act tell of it. */
export async function imposeOrganizationPolicy(
  { sql, record }: Act,
  { id, slug }: Pick<Organization, 'id' | 'slug'>,
  policy: Parameters<typeof imposePolicy>[2],
): Promise<ImposedPolicy> {
  const { before, after } = await imposePolicy(sql, id, policy);
  const attempted = { author: policy.author, document: JSON.stringify(policy.document), organization: slug };
  await keepPolicyAttempt(sql, attempted, { revision: after.revision });
  const target = `organization:${slug}`;
  await record({ action: 'organization-policy.install', target, before: plain(before), after: plain(after) });
  return after;
}

/** Keeps an attempt that was refused (workstation-4). */
export async function refuseOrganizationPolicy(
  { sql, record }: Act,
  slug: string,
  { author, document }: Authored<{ readonly document: string }>,
  fault: string,
): Promise<void> {
  await keepPolicyAttempt(sql, { author, document, organization: slug }, { fault });
  const target = `organization:${slug}`;
  await record({ action: 'organization-policy.refuse', target, before: null, after: { document, fault } });
}

/** As it goes into the administration log: instants as texts. */
function plain(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
