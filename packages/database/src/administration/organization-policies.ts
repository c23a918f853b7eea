import type { OrganizationPolicy, Validity } from '@gateway/contract';
import { OperationRefused, type Operator, operate } from '../audit-log/operation.ts';
import type { Queryable, Sql } from '../client/connect.ts';
import { type ImposedPolicy, type Organization, readOrganizations } from '../queries/console/organizations.ts';
import { imposeOrganizationPolicy, refuseOrganizationPolicy } from '../queries/console/policy-installation.ts';

export type { ImposedPolicy } from '../queries/console/organizations.ts';

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
  return operate(sql, operator, async (act) =>
    imposeOrganizationPolicy(act, await find(act.sql, slug), { ...policy, author }),
  );
}

/** Keeps an attempt that was refused, with its author (workstation-4). */
export async function recordRefusedOrganizationPolicy(
  sql: Sql,
  operator: Operator,
  slug: string,
  document: string,
  fault: string,
): Promise<void> {
  const { author } = operator;
  await operate(sql, operator, async (act) => {
    await find(act.sql, slug);
    await refuseOrganizationPolicy(act, slug, { author, document }, fault);
  });
}

async function find(sql: Queryable, slug: string): Promise<Organization> {
  const found = (await readOrganizations(sql)).find((one) => one.slug === slug);
  if (found === undefined) throw new OperationRefused(`There is no organization ${slug}.`);
  return found;
}
