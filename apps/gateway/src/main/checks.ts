import { codeOf } from '@gateway/configuration';
import {
  assertSchemaIsKnown,
  checkLeastPrivilege,
  type DatabaseAddress,
  type Queryable,
  SchemaFault,
  whyUnanswered,
  withPool,
} from '@gateway/database';
import { START_CONNECTION } from '../store/start-connection.ts';

/** The role may not even read (PostgreSQL's insufficient_privilege): the check of its rights reports what it lacks. */
const NOT_ALLOWED = '42501';

/** The faults of the database itself that prevent a start; one line each (refusals-24, refusals-28). */
export async function databaseFaults(
  address: DatabaseAddress,
  organization: string | null,
): Promise<readonly string[]> {
  return withPool(address, START_CONNECTION, async (sql) => {
    const schema = await schemaFaults(sql);
    if (schema.length > 0) return schema; // without the tables there are no rights on them to be checked
    const faults = (await checkLeastPrivilege(sql, 'gateway')).map((fault) => `DATABASE_URL: ${fault}`);
    if (organization === null) return faults;
    return [...faults, ...(await organizationFaults(sql, organization))];
  }).catch((error: unknown) => [`DATABASE_URL: the database could not be queried at start: ${whyUnanswered(error)}.`]);
}

async function schemaFaults(sql: Queryable): Promise<readonly string[]> {
  try {
    await assertSchemaIsKnown(sql);
    return [];
  } catch (error) {
    if (error instanceof SchemaFault) return [`DATABASE_URL: ${error.message}`];
    if (codeOf(error) === NOT_ALLOWED) return [];
    throw error;
  }
}

async function organizationFaults(sql: Queryable, slug: string): Promise<readonly string[]> {
  const [found] = await sql`select from organizations where slug = ${slug}`;
  if (found !== undefined) return [];
  return [
    `GATEWAY_ORGANIZATION: the organization "${slug}" is not known. Create it in the console, or correct the slug.`,
  ];
}
