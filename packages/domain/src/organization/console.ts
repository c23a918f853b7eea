import type { OrganizationPolicy } from '@gateway/contract';
import type { Queryable } from '@gateway/database';

/** A revision of what an organization imposes on its workstations (workstation-2). */
export interface ImposedPolicy {
  readonly revision: number;
  readonly document: OrganizationPolicy;
  readonly producedAt: Date;
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
  readonly author: string;
}

/** An organization with its current policy; null where it has none yet. */
export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly policy: ImposedPolicy | null;
}

/** Columns of an `ImposedPolicy`. */
export const imposedColumns = (sql: Queryable) => sql`
  revision, document, produced_at as "producedAt", valid_from as "validFrom", valid_until as "validUntil", author`;

/** Every organization by slug: a deployment has one, seldom a handful. */
export async function readOrganizations(sql: Queryable): Promise<Organization[]> {
  const rows = await sql<(Omit<Organization, 'policy'> & ImposedPolicy)[]>`
    select o.id, o.slug, o.name, p.* from organizations o left join lateral (
      select ${imposedColumns(sql)} from organization_policies where organization_id = o.id order by revision desc limit 1
    ) p on true order by o.slug`;
  return rows.map(({ id, slug, name, ...policy }) => ({
    id,
    slug,
    name,
    policy: policy.revision === null ? null : policy,
  }));
}
