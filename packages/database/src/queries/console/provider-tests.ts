import type { Queryable } from '../../client/connect.ts';

/** A connection test that a gateway performs; unfinished until it did. */
export interface ProviderTestState {
  readonly id: string;
  readonly requestedAt: Date;
  readonly finishedAt: Date | null;
  readonly status: number | null;
  readonly fault: string | null;
  readonly models: readonly string[] | null;
}

const columns = (sql: Queryable) =>
  sql`id, requested_at as "requestedAt", finished_at as "finishedAt", status, fault, models`;

/** Asks the gateways for a test. @throws where there is no such provider */
export async function requestProviderTest(
  sql: Queryable,
  test: { readonly id: string; readonly provider: string; readonly author: string },
): Promise<ProviderTestState> {
  const [row] = await sql<ProviderTestState[]>`
    insert into provider_tests (id, provider_id, requested_by) values (${test.id}, ${test.provider}, ${test.author})
    returning ${columns(sql)}`;
  if (row === undefined) throw new Error('an insert without a conflict clause returns its row');
  return row;
}

/** How a test stands; undefined where there is none. */
export async function readProviderTest(sql: Queryable, id: string): Promise<ProviderTestState | undefined> {
  const [row] = await sql<ProviderTestState[]>`select ${columns(sql)} from provider_tests where id = ${id}`;
  return row;
}
