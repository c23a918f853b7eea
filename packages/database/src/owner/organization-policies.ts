import type { OrganizationPolicy, Validity } from '@gateway/contract';
import type { JsonValue } from '@gateway/ledger';
import { v7 as uuid } from 'uuid';
import type { Queryable, Sql } from '../connect.ts';
import { type ImposedPolicy, imposePolicy, type Organization, readOrganizations } from '../console/organizations.ts';
import { insertPolicyAttempt } from '../console/policy-attempts.ts';
import { OperationRefused, type Operator, operate } from './operation.ts';

export type { ImposedPolicy } from '../console/organizations.ts';

/** What an organization imposes, null where nothing. @throws OperationRefused where there is no such organization. */
export async function readImposedPolicy(sql: Queryable, slug: string): Promise<ImposedPolicy | null> {
  return (await find(sql, slug)).policy;
}

/** Imposes the next revision, and records the attempt and the act. @throws OperationRefused where there is no such organization. */
export async function installOrganizationPolicy(
  sql: Sql,
  operator: Operator,
  slug: string,
  policy: { readonly document: OrganizationPolicy } & Validity,
): Promise<ImposedPolicy> {
  const { author } = operator;
  return operate(sql, operator, async (at) => {
    const { id } = await find(at.sql, slug);
    const { before, after } = await imposePolicy(at.sql, id, { ...policy, author });
    const attempt = {
      id: uuid(),
      kind: 'organization',
      organization: slug,
      outcome: 'installed',
      fault: null,
    } as const;
    const document = JSON.stringify(policy.document);
    await insertPolicyAttempt(at.sql, { ...attempt, author, revision: after.revision, document });
    const target = `organization:${slug}`;
    await at.record({ action: 'organization-policy.install', target, before: plain(before), after: plain(after) });
    return after;
  });
}

/** Keeps an attempt that was refused, with its author (specification, Permissions: politique-d-organisation:lire). */
export async function recordRefusedOrganizationPolicy(
  sql: Sql,
  operator: Operator,
  slug: string,
  document: string,
  fault: string,
): Promise<void> {
  const { author } = operator;
  await operate(sql, operator, async (at) => {
    await find(at.sql, slug);
    const attempt = {
      id: uuid(),
      kind: 'organization',
      organization: slug,
      outcome: 'refused',
      revision: null,
    } as const;
    await insertPolicyAttempt(at.sql, { ...attempt, author, fault, document });
    const target = `organization:${slug}`;
    await at.record({ action: 'organization-policy.refuse', target, before: null, after: { document, fault } });
  });
}

async function find(sql: Queryable, slug: string): Promise<Organization> {
  const found = (await readOrganizations(sql)).find((one) => one.slug === slug);
  if (found === undefined) throw new OperationRefused(`There is no organization ${slug}.`);
  return found;
}

/** As it goes into the administration log: instants as texts. */
function plain(policy: ImposedPolicy | null): JsonValue {
  return policy === null ? null : (JSON.parse(JSON.stringify(policy)) as JsonValue);
}
