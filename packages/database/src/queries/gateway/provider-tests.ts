import { rowsOf } from '../../client/answers.ts';
import type { Link } from '../../client/link.ts';
import type { EndpointFacts } from './relay-facts/types.ts';

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
