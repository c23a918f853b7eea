import { answered } from '../../client/answers.ts';
import type { Link } from '../../client/link.ts';
import { recordSet } from '../../client/record-set.ts';

/** How a provider answered one relayed call. */
export interface UpstreamResult {
  readonly decisionId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly endpoint: string;
  /** Its slug. */
  readonly provider: string;
  /** Null without an answer. */
  readonly status: number | null;
  readonly fault: string | null;
  /** The key that let the call through; null for a token. */
  readonly keyId: string | null;
}

const { columns, rows } = recordSet({
  decisionId: 'uuid',
  at: 'timestamptz',
  endpoint: 'text',
  provider: 'text',
  status: 'integer',
  fault: 'text',
  keyId: 'uuid',
} satisfies Record<keyof UpstreamResult, string>);

const INSERT = `
with given as materialized (select ${columns} from ${rows(1)}), kept as (
  insert into upstream_results (decision_id, at, endpoint, provider, status, fault)
  select decision_id, at, endpoint, provider, status, fault from given on conflict do nothing
)
insert into key_uses as used (key_id, last_used_at)
select key_id, max(at) from given where key_id is not null group by 1 order by 1
on conflict (key_id) do update set last_used_at = greatest(used.last_used_at, excluded.last_used_at)`;

/** Twice what a batch can add: a backlog shrinks, and no batch waits long for it. */
const MAX_BATCH = 1000;
const REMOVE_EXPIRED = 'select remove_expired_results($1)';

/**
 * Stores results, and the last use of their keys. Removes results past their retention, so that no timer is needed. @param
 * deadline on the clock of `performance.now()`
 */
export async function keepUpstreamResults(
  link: Link,
  results: readonly UpstreamResult[],
  deadline: number,
): Promise<void> {
  await answered(link, deadline, async (sql) => {
    await sql.unsafe(INSERT, [JSON.stringify(results)], { prepare: true });
    await sql.unsafe(REMOVE_EXPIRED, [MAX_BATCH], { prepare: true });
  });
}
