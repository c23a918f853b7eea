import { v7 as uuid } from 'uuid';
import type { Act } from '../audit-log/act.ts';
import { OperationRefused, type Operator, operate } from '../audit-log/operation.ts';
import type { Queryable, Sql } from '../client/connect.ts';

export interface OrganizationEntry {
  readonly slug: string;
  readonly name: string;
  /** Of the policy it imposes; null where it imposes nothing. */
  readonly policyRevision: number | null;
}

export async function listOrganizations(sql: Queryable): Promise<readonly OrganizationEntry[]> {
  const rows = await sql<OrganizationEntry[]>`
    select slug, name,
      (select max(revision) from organization_policies where organization_id = organization.id) as "policyRevision"
    from organizations organization order by slug`;
  return [...rows];
}

/** @throws OperationRefused where the slug is taken. */
export async function createOrganization(sql: Sql, operator: Operator, slug: string, name: string): Promise<void> {
  await operate(sql, operator, (at) => createOrganizationIn(at, slug, name));
}

/** `createOrganization` inside a transaction. @returns its id */
export async function createOrganizationIn(at: Act, slug: string, name: string): Promise<string> {
  const [made] = await at.sql<{ id: string }[]>`
    insert into organizations (id, slug, name) values (${uuid()}, ${slug}, ${name})
    on conflict (slug) do nothing returning id`;
  if (!made) throw new OperationRefused(`There is an organization ${slug} already.`);
  const after = { slug, name };
  await at.record({ action: 'organization.create', target: `organization:${slug}`, before: null, after });
  return made.id;
}

/** Gives an organization another readable name, inside a transaction. */
export async function renameOrganizationIn(at: Act, slug: string, before: string, name: string): Promise<void> {
  await at.sql`update organizations set name = ${name} where slug = ${slug}`;
  const values = { before: { slug, name: before }, after: { slug, name } };
  await at.record({ action: 'organization.change', target: `organization:${slug}`, ...values });
}
