import type { Queryable } from '../client/connect.ts';
import { assertDatabaseFits } from './fitting.ts';
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
