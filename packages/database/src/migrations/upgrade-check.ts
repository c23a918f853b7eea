import { SERVICE_ROLES } from '../least-privilege/protected.ts';
import { readMigrations } from './files.ts';
import { type Owner, withOwner } from './migrate.ts';
import { assertRegistryIsKnown, readRegistry } from './registry.ts';
import { assertServiceRoles } from './service-roles.ts';
import { breaksEarlier } from './side-by-side.ts';

export interface PendingMigration {
  readonly name: string;
  /** Statements that may break programs of the previous version; empty where they continue. */
  readonly breaks: readonly string[];
}

/** What a database needs before programs of this version can start on it. */
export interface UpgradeCheck {
  /** Version of PostgreSQL. */
  readonly server: string;
  readonly pending: readonly PendingMigration[];
  /** Connections of running services. */
  readonly serving: number;
  /** What prevents the migrations; a sentence each. */
  readonly faults: readonly string[];
}

/**
 * Looks at a database and changes nothing.
 * @throws SchemaFault where the database is not one of this program: newer, edited, without a registry, or unsuitable.
 */
export async function checkUpgrade(owner: Owner, known = readMigrations()): Promise<UpgradeCheck> {
  return withOwner(owner, async (sql) => {
    const registry = await readRegistry(sql);
    assertRegistryIsKnown(registry, known);
    await assertServiceRoles(sql, registry.length > 0);
    const services = Object.values(SERVICE_ROLES);
    const [found] = await sql<{ server: string; owns: boolean; owner: string; serving: number }[]>`
      select current_setting('server_version') as server, quote_ident(current_user) as owner, pg_has_role(current_user, datdba, 'usage') as owns,
        (select count(*)::integer from pg_stat_activity where datname = current_database() and usename = any (${services}::text[])) as serving
      from pg_database where datname = current_database()`;
    if (found === undefined) throw new Error('a connection has a database');
    const faults: string[] = [];
    if (!found.owns)
      faults.push(`The role ${found.owner} does not own the database. Give the address of its owner in DATABASE_URL.`);
    const pending = known.slice(registry.length).map(({ name, text }) => ({
      name,
      // Nothing runs on a database without a schema.
      breaks: registry.length === 0 ? [] : breaksEarlier(text),
    }));
    return { server: found.server, pending, serving: found.serving, faults };
  });
}
