import type { Queryable } from '../client/connect.ts';
import { SERVICE_ROLES } from '../least-privilege/protected.ts';
import { SchemaFault } from './registry.ts';

/**
 * Roles belong to the server and are in no backup of a database. The first migration makes them, for which the owner needs
 * a right of its own; a database that was restored where they are absent has lost what they may do in it.
 * @throws SchemaFault with what gives the roles.
 */
export async function assertServiceRoles(transaction: Queryable, isMigrated: boolean): Promise<void> {
  const names = Object.values(SERVICE_ROLES);
  const absent = await transaction<{ name: string }[]>`
    select name from unnest(${names}::text[]) name
    where not exists (select from pg_roles where rolname = name)`;
  if (absent.length === 0) return;
  const missing = `This server has ${absent.map(({ name }) => `no role ${name}`).join(' and ')}`;
  if (isMigrated) {
    throw new SchemaFault(
      `${missing}. Roles are in no backup of a database: make both (create role NAME login), then restore the backup again.`,
    );
  }
  const [owner] = await transaction<{ name: string; makes: boolean }[]>`
    select quote_ident(rolname) as name, rolcreaterole or rolsuper as makes from pg_roles where rolname = current_user`;
  if (owner?.makes) return;
  throw new SchemaFault(
    `${missing}, and ${owner?.name} may not make them. As a superuser: alter role ${owner?.name} createrole`,
  );
}
