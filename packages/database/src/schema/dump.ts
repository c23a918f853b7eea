import type { Queryable } from '../client/connect.ts';
import { constraints, functions, indexes, privileges, revocations, tables, triggers, views } from './statements.ts';

const HEAD = `-- The schema as the last migration leaves it: what a reviewer reads, and what a test compares with the migrations.
-- Made from the catalog of a migrated database; never edited by hand. The service roles exist before it is applied.
`;

/**
 * Describes a migrated database as SQL that makes it again (limits-14). The same schema gives the same text, in any order of its migrations.
 */
export async function dumpSchema(sql: Queryable): Promise<string> {
  const parts: string[] = [];
  for (const read of [tables, views, functions, constraints, indexes, triggers, revocations, privileges])
    parts.push((await read(sql)).map(({ statement }) => statement).join('\n\n'));
  return `${HEAD}\n${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
