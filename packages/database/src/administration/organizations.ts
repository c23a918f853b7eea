import { v7 as uuid } from 'uuid';
import type { Organization } from '../queries/console/organizations.ts';
import type { Act } from './act.ts';
import { onlyRow } from './only-row.ts';

export type NamedOrganization = Pick<Organization, 'id' | 'slug' | 'name'>;

/** Creates an organization, which has no policy yet. @returns undefined where the slug is in use */
export async function createOrganization(
  { sql, record }: Act,
  { slug, name }: Pick<Organization, 'slug' | 'name'>,
): Promise<NamedOrganization | undefined> {
  const after = { id: uuid(), slug, name };
  const made = await sql`insert into organizations ${sql(after)} on conflict (slug) do nothing returning id`;
  if (made.length === 0) return undefined;
  record({ action: 'organization.create', target: `organization:${slug}`, before: null, after });
  return after;
}

export async function renameOrganization(
  { sql, record }: Act,
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
