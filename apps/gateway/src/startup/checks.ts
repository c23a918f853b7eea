import {
  assertSchemaIsKnown,
  checkLeastPrivilege,
  connect,
  type DatabaseAddress,
  type Queryable,
  SchemaFault,
} from '@gateway/database';

/** What the database itself says against a start; one line each (specification, Startup refusals 4 and 9). */
export async function databaseFaults(
  address: DatabaseAddress,
  organization: string | null,
): Promise<readonly string[]> {
  const sql = connect(address, { max: 1, applicationName: 'gateway start', connectSeconds: 10 });
  try {
    const schema = await schemaFaults(sql);
    if (schema.length > 0) return schema; // without the tables there are no rights on them to be checked
    const faults = (await checkLeastPrivilege(sql, 'gateway')).map((fault) => `DATABASE_URL: ${fault}`);
    if (organization === null) return faults;
    return [...faults, ...(await organizationFaults(sql, organization))];
  } catch (error) {
    const said = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    return [`DATABASE_URL: the database cannot be asked what this start needs to know: ${said}.`];
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function schemaFaults(sql: Queryable): Promise<readonly string[]> {
  try {
    await assertSchemaIsKnown(sql);
    return [];
  } catch (error) {
    if (error instanceof SchemaFault) return [`DATABASE_URL: ${error.message}`];
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
