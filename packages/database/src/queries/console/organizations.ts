import type { OrganizationPolicy } from '@gateway/contract';
import type { Queryable } from '../../client/connect.ts';

/** A revision of what an organization imposes on its workstations (workstation-2). */
export interface ImposedPolicy {
  readonly revision: number;
  readonly document: OrganizationPolicy;
  readonly producedAt: Date;
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
  readonly author: string;
}

/** An organization with the policy it imposes now, null where it imposes nothing yet. */
export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly policy: ImposedPolicy | null;
}

const imposed = (sql: Queryable) => sql`
  revision, document, produced_at as "producedAt", valid_from as "validFrom", valid_until as "validUntil", author`;

/** Every organization by slug: a deployment has one, seldom a handful. */
export async function readOrganizations(sql: Queryable): Promise<Organization[]> {
  const rows = await sql<(Omit<Organization, 'policy'> & ImposedPolicy)[]>`
    select o.id, o.slug, o.name, p.* from organizations o left join lateral (
      select ${imposed(sql)} from organization_policies where organization_id = o.id order by revision desc limit 1
    ) p on true order by o.slug`;
  return rows.map(({ id, slug, name, ...policy }) => ({
    id,
    slug,
    name,
    policy: policy.revision === null ? null : policy,
  }));
}

export async function insertOrganization(
  sql: Queryable,
  { id, slug, name }: Pick<Organization, 'id' | 'slug' | 'name'>,
): Promise<void> {
  await sql`insert into organizations ${sql({ id, slug, name })}`;
}

/**
 * Imposes the next revision, inside a transaction, and says which one it follows. Of two at once the second waits for the first
 * at the lock, and follows it.
 */
export async function imposePolicy(
  sql: Queryable,
  organization: string,
  policy: Pick<ImposedPolicy, 'document' | 'validFrom' | 'validUntil' | 'author'>,
): Promise<{ readonly before: ImposedPolicy | null; readonly after: ImposedPolicy }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${organization}, 7332))`;
  const [before = null] = await sql<ImposedPolicy[]>`
    select ${imposed(sql)} from organization_policies where organization_id = ${organization}
    order by revision desc limit 1`;
  const [after] = await sql<ImposedPolicy[]>`
    insert into organization_policies (organization_id, revision, document, valid_from, valid_until, author)
    values (${organization}, ${(before?.revision ?? 0) + 1}, ${sql.json({ ...policy.document })}, ${policy.validFrom},
      ${policy.validUntil}, ${policy.author})
    returning ${imposed(sql)}`;
  if (after === undefined) throw new Error('an insert without a conflict clause returns its row');
  return { before, after };
}
