import { OWN_SEARCH_PATH, type Queryable } from '../client/connect.ts';
import { SchemaFault } from './registry.ts';

/** The number of the last migration this program was written for. A test compares it with the migrations folder. */
export const SCHEMA_VERSION = 46;

/**
 * The check of a service before it serves: the schema is exactly the expected one. Built programs contain no migration files, so
 * only the number is compared.
 * @throws SchemaFault with a sentence a person can act on.
 */
export async function assertSchemaIsKnown(sql: Queryable): Promise<void> {
  await assertDatabaseFits(sql);
  const [found] = await sql`select to_regclass('public.schema_migrations') is not null as here`;
  if (!found?.['here']) {
    throw new SchemaFault('The database has no schema of this product yet. Run: gatewayctl migrate');
  }
  const [last] = await sql<{ number: number }[]>`select coalesce(max(number), 0) as number from schema_migrations`;
  const number = last?.number ?? 0;
  if (number > SCHEMA_VERSION) {
    throw new SchemaFault(
      `The database is at migration ${number}, newer than this program (${SCHEMA_VERSION}). Start the version that fits it.`,
    );
  }
  if (number < SCHEMA_VERSION) {
    throw new SchemaFault(`The database is at migration ${number} of ${SCHEMA_VERSION}. Run: gatewayctl migrate`);
  }
}

/** The oldest version of PostgreSQL that the services are tested with. */
const LEAST_VERSION = 15;

/**
 * Checks that the database can store this product's data, and that its settings apply.
 * @throws SchemaFault with a sentence a person can act on.
 */
export async function assertDatabaseFits(sql: Queryable): Promise<void> {
  const [found] = await sql<
    {
      encoding: string;
      path: string;
      triggers: string;
      role: string;
      database: string;
      server: string;
      version: number;
    }[]
  >`
    select getdatabaseencoding() as encoding, current_setting('search_path') as path,
      current_setting('session_replication_role') as triggers,
      quote_ident(session_user) as role, quote_ident(current_database()) as database, current_setting('server_version') as server,
      current_setting('server_version_num')::integer / 10000 as version`;
  if (found?.path !== OWN_SEARCH_PATH) {
    throw new SchemaFault(
      'The settings of this connection did not reach PostgreSQL, because a pooler ignores them. ' +
        'Give the address of PostgreSQL itself.',
    );
  }
  // Not among the settings that each connection sends: only a superuser may choose it, but may choose it for any role.
  if (found.triggers === 'replica') {
    throw new SchemaFault(
      `No trigger runs for the database role ${found.role}, for session_replication_role is replica: usage would be missing from its ` +
        `totals. As a superuser: alter role ${found.role} in database ${found.database} set session_replication_role = origin`,
    );
  }
  if (found.version < LEAST_VERSION) {
    throw new SchemaFault(
      `PostgreSQL is version ${found.server}. Version ${LEAST_VERSION} or newer is needed: move the database to one.`,
    );
  }
  if (found.encoding !== 'UTF8') {
    throw new SchemaFault(
      `The encoding of the database is ${found.encoding}, which cannot keep every text. ` +
        "Make another one: create database NAME owner OWNER encoding 'UTF8' template template0",
    );
  }
}
