import { rowsOf } from '../../client/answers.ts';
import { arrayLiteral } from '../../client/array-literal.ts';
import type { Link } from '../../client/link.ts';
import type { EndpointFacts } from './relay-facts/columns.ts';

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

/** A connection that an administrator wants to test: of a provider, or of one that is not declared yet. */
export interface ProviderTest {
  readonly id: string;
  readonly provider: Pick<EndpointFacts['provider'], 'baseUrl' | 'apiKeyEnv' | 'apiKeyHeader'>;
}

/** What a test found. */
export interface ProviderTestResult {
  readonly status: number | null;
  readonly fault: string | null;
  readonly models: readonly string[];
}

/** A request that was not taken within a minute is dropped. */
const TAKE = `
with waiting as (
  select id from provider_tests where taken_at is null and requested_at > now() - interval '1 minute'
  order by requested_at limit 1 for update skip locked
), taken as (
  update provider_tests test set taken_at = now() from waiting where test.id = waiting.id returning test.*
)
select id, base_url, api_key_env, api_key_header from taken where provider_id is null
union all
select taken.id, p.base_url, p.api_key_env, p.api_key_header from taken join providers p on p.id = taken.provider_id`;

interface Row {
  readonly id: string;
  readonly base_url: string;
  readonly api_key_env: string | null;
  readonly api_key_header: string | null;
}

/** Takes the oldest request, so that no other gateway does; null where none waits. */
export async function takeProviderTest(link: Link, deadline: number): Promise<ProviderTest | null> {
  const [row] = await rowsOf<Row>(link, deadline, TAKE, []);
  if (row === undefined) return null;
  const { id, base_url: baseUrl, api_key_env: apiKeyEnv, api_key_header: apiKeyHeader } = row;
  return { id, provider: { baseUrl, apiKeyEnv, apiKeyHeader } };
}

const FINISH = `
update provider_tests set finished_at = now(), status = $2::integer, fault = $3, models = array(select jsonb_array_elements_text($4::text::jsonb))
where id = $1::uuid returning id`;

export async function finishProviderTest(
  link: Link,
  id: string,
  { status, fault, models }: ProviderTestResult,
  deadline: number,
): Promise<void> {
  await rowsOf(link, deadline, FINISH, [id, status, fault, JSON.stringify(models)]);
}
