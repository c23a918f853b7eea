import { OWN_SEARCH_PATH, type Queryable } from '../connect.ts';
import { SchemaFault } from './registry.ts';

/**
 * Whether the database can keep what this product writes, and hears how it is to be kept.
 * @throws SchemaFault with a sentence a person can act on.
 */
export async function assertDatabaseFits(sql: Queryable): Promise<void> {
  const [found] = await sql<{ encoding: string; path: string }[]>`
    select getdatabaseencoding() as encoding, current_setting('search_path') as path`;
  if (found?.path !== OWN_SEARCH_PATH) {
    throw new SchemaFault(
      'The settings of this connection did not reach PostgreSQL: a pooler stands between that ignores them. ' +
        'Give the address of PostgreSQL itself.',
    );
  }
  if (found.encoding !== 'UTF8') {
    throw new SchemaFault(
      `The encoding of the database is ${found.encoding}, which cannot keep every text. ` +
        "Make another one: create database NAME owner OWNER encoding 'UTF8' template template0",
    );
  }
}
