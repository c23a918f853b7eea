import {
  type Act,
  type Changed,
  type Changes,
  type Created,
  onlyRow,
  type Replaced,
} from '@gateway/database/audit-log/act';
import { v7 as uuid } from 'uuid';
import { keepPolicyAttempt, keepRefusedPolicy, type MaskSecrets, type RefusedPolicy } from '../policy/console.ts';
import { type ImposedPolicy, imposedColumns, type Organization } from './console.ts';

type OrganizationChange = Changes<{
  readonly 'organization.create': Created<NamedOrganization>;
  readonly 'organization.change': Changed<NamedOrganization>;
  readonly 'organization-policy.install': Replaced<ImposedPolicy>;
  readonly 'organization-policy.refuse': Created<{ readonly document: string; readonly fault: string }>;
}>;

export type NamedOrganization = Pick<Organization, 'id' | 'slug' | 'name'>;

/** Creates an organization, which has no policy yet. @returns undefined where the slug is in use */
export async function createOrganization(
  { sql, record }: Act<OrganizationChange>,
  { slug, name }: Pick<Organization, 'slug' | 'name'>,
): Promise<NamedOrganization | undefined> {
  const after = { id: uuid(), slug, name };
  const made = await sql`insert into organizations ${sql(after)} on conflict (slug) do nothing returning id`;
  if (made.length === 0) return undefined;
  record({ action: 'organization.create', target: `organization:${slug}`, before: null, after });
  return after;
}

export async function renameOrganization(
  { sql, record }: Act<OrganizationChange>,
  { id }: Pick<Organization, 'id'>,
  name: string,
): Promise<void> {
  // Locked, so that the log says what the name was.
  const before = onlyRow(
    await sql<NamedOrganization[]>`select id, slug, name from organizations where id = ${id} for update`,
  );
  await sql`update organizations set name = ${name} where id = ${id}`;
  record({
    action: 'organization.change',
    target: `organization:${before.slug}`,
    before,
    after: { ...before, name },
  });
}

/** Installs the next revision of the policy for the workstations of an organization (workstation-2). */
export async function installOrganizationPolicy(
  { sql, author, record }: Act<OrganizationChange>,
  { id, slug }: Pick<Organization, 'id' | 'slug'>,
  { document, validFrom, validUntil }: Pick<ImposedPolicy, 'document' | 'validFrom' | 'validUntil'>,
): Promise<ImposedPolicy> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 7332))`;
  const [before = null] = await sql<ImposedPolicy[]>`
    select ${imposedColumns(sql)} from organization_policies where organization_id = ${id}
    order by revision desc limit 1`;
  const after = onlyRow(
    await sql<ImposedPolicy[]>`
    insert into organization_policies (organization_id, revision, document, valid_from, valid_until, author)
    values (${id}, ${(before?.revision ?? 0) + 1}, ${sql.json({ ...document })}, ${validFrom}, ${validUntil}, ${author})
    returning ${imposedColumns(sql)}`,
  );
  const attempted = { author, document: JSON.stringify(document), organization: slug };
  await keepPolicyAttempt(sql, attempted, { revision: after.revision });
  record({ action: 'organization-policy.install', target: `organization:${slug}`, before, after });
  return after;
}

/** Keeps a refused attempt with its author (workstation-4). */
export async function refuseOrganizationPolicy(
  { sql, author, record }: Act<OrganizationChange>,
  slug: string,
  refused: RefusedPolicy,
  mask: MaskSecrets,
): Promise<void> {
  const after = await keepRefusedPolicy(sql, { author, organization: slug }, refused, mask);
  record({ action: 'organization-policy.refuse', target: `organization:${slug}`, before: null, after });
}
