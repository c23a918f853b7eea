import { answer, recordSet } from '../../client/answers.ts';
import type { Link } from '../../client/link.ts';

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
