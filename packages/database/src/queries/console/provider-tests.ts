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

/** Columns of a `ProviderTestState`. */
export const providerTestColumns = (sql: Queryable) =>
  sql`id, requested_at as "requestedAt", finished_at as "finishedAt", status, fault, models`;

/** The state of a test; undefined where there is none. */
export async function readProviderTest(sql: Queryable, id: string): Promise<ProviderTestState | undefined> {
  const [row] = await sql<ProviderTestState[]>`select ${providerTestColumns(sql)} from provider_tests where id = ${id}`;
  return row;
}
