import { rowsOf } from '../../client/answers.ts';
import { arrayLiteral } from '../../client/array-literal.ts';
import type { Link } from '../../client/link.ts';

/** Which variables for keys are set in the environment of a gateway: names, never values. */
export interface KeyVariables {
  /** Host name and port. */
  readonly gateway: string;
  readonly present: readonly string[];
  readonly absent: readonly string[];
}

/** The names of variables that providers have their keys in. @param deadline on the clock of `performance.now()` */
export async function readKeyVariables(link: Link, deadline: number): Promise<readonly string[]> {
  const text = `select distinct api_key_env as name from providers where api_key_env is not null order by 1`;
  return (await rowsOf<{ name: string }>(link, deadline, text, [])).map(({ name }) => name);
}

const KEEP = `
with forgotten as (
  delete from reported_key_variables where reported_at < now() - interval '1 day' and gateway <> $1
)
insert into reported_key_variables (gateway, present, absent) values ($1, $2::text::text[], $3::text::text[])
on conflict (gateway) do update set present = excluded.present, absent = excluded.absent, reported_at = now()
returning gateway`;

/** Replaces the report of this gateway, and forgets gateways that did not report for a day. */
export async function keepKeyVariables(
  link: Link,
  { gateway, present, absent }: KeyVariables,
  deadline: number,
): Promise<void> {
  await rowsOf(link, deadline, KEEP, [gateway, arrayLiteral(present), arrayLiteral(absent)]);
}
