import { LOOKALIKE_LETTERS } from '@gateway/contract/legible';
import type { Queryable } from '../../client/connect.ts';
import type { Fragment } from './conditions.ts';

/** What a name looks like: names that differ by case, compatibility form or letters that look the same have one shape. */
export function shapeOf(sql: Queryable, name: Fragment): Fragment {
  const { from, to } = LOOKALIKE_LETTERS;
  return sql`translate(lower(normalize(${name}, NFKC)), ${from}, ${to})`;
}

/** Other known names that look like these, one for each name that has any. */
export async function readLookalikes(
  sql: Queryable,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (subjects.length === 0) return new Map();
  const rows = await sql<{ subject: string; other: string }[]>`
    select asked.subject, min(known.name) as other
    from (select subject, ${shapeOf(sql, sql`subject`)} as shape from unnest(${subjects as string[]}::text[]) subject) asked
    join (
      select name, ${shapeOf(sql, sql`name`)} as shape
      from (select username as name from accounts union select subject from provisioned_users) names
    ) known on known.shape = asked.shape and known.name <> asked.subject
    group by asked.subject`;
  return new Map(rows.map(({ subject, other }) => [subject, other]));
}
