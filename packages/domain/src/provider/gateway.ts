import { answer, recordSet, rowsOf } from '@gateway/database/client/answers';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import type { Link } from '@gateway/database/client/link';
import type { EndpointFacts } from '../call/facts.ts';

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

/** How a provider answered calls: one that failed, or several of one second that went well and are alike. */
export interface UpstreamResult {
  /** Of the call, or of the first one. A row written twice is one row. */
  readonly decisionId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly endpoint: string;
  /** Its slug. */
  readonly provider: string;
  /** Null without an answer. */
  readonly status: number | null;
  readonly fault: string | null;
  readonly calls: number;
}

/** When a key last let a call through. */
export interface KeyUse {
  readonly keyId: string;
  /** ISO 8601. */
  readonly at: string;
}

const results = recordSet({
  decisionId: 'uuid',
  at: 'timestamptz',
  endpoint: 'text',
  provider: 'text',
  status: 'integer',
  fault: 'text',
  calls: 'integer',
} satisfies Record<keyof UpstreamResult, string>);
const uses = recordSet({ keyId: 'uuid', at: 'timestamptz' } satisfies Record<keyof KeyUse, string>);

const INSERT = `
with kept as (
  insert into upstream_results (${results.columns}) select ${results.columns} from ${results.rows(1)} on conflict do nothing
)
insert into key_uses as used (key_id, last_used_at) select key_id, at from ${uses.rows(2)} order by 1
on conflict (key_id) do update set last_used_at = greatest(used.last_used_at, excluded.last_used_at)`;

/** Twice what a batch can add: a backlog shrinks, and no batch waits long for it. */
const MAX_BATCH = 1000;
const REMOVE_EXPIRED = 'select remove_expired_results($1)';

/**
 * Stores results and the last uses of keys. Removes results past their retention, so that no timer is needed.
 * @param keyUses one for each key
 * @param deadline on the clock of `performance.now()`
 */
export async function keepUpstreamResults(
  link: Link,
  given: { readonly results: readonly UpstreamResult[]; readonly keyUses: readonly KeyUse[] },
  deadline: number,
): Promise<void> {
  await answer(link, deadline, async (sql) => {
    await sql.unsafe(INSERT, [JSON.stringify(given.results), JSON.stringify(given.keyUses)], { prepare: true });
    await sql.unsafe(REMOVE_EXPIRED, [MAX_BATCH], { prepare: true });
  });
}
