import { rowsOf } from '../../client/answers.ts';
import type { Link } from '../../client/link.ts';
import type { EndpointFacts } from './relay-facts/types.ts';

/** A connection that an administrator wants to test. */
export interface ProviderTest {
  readonly id: string;
  readonly provider: EndpointFacts['provider'];
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
  update provider_tests test set taken_at = now() from waiting where test.id = waiting.id returning test.id, test.provider_id
)
select taken.id, p.id as provider_id, p.slug, p.base_url, p.api_key_env, p.api_key_header
from taken join providers p on p.id = taken.provider_id`;

interface Row {
  readonly id: string;
  readonly provider_id: string;
  readonly slug: string;
  readonly base_url: string;
  readonly api_key_env: string | null;
  readonly api_key_header: string | null;
}

/** Takes the oldest request, so that no other gateway does; null where none waits. */
export async function takeProviderTest(link: Link, deadline: number): Promise<ProviderTest | null> {
  const [row] = await rowsOf<Row>(link, deadline, TAKE, []);
  if (row === undefined) return null;
  const { provider_id: id, slug, base_url: baseUrl, api_key_env: apiKeyEnv, api_key_header: apiKeyHeader } = row;
  return { id: row.id, provider: { id, slug, baseUrl, apiKeyEnv, apiKeyHeader } };
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
