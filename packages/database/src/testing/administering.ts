import { createSigner, generateSigningKey } from '@gateway/ledger';
import { expect } from 'vitest';
import { type Act, inAct } from '../audit-log/act.ts';
import type { Sql } from '../client/connect.ts';

/** An entry of the administration log, with its values read. */
export interface RecordedAct {
  readonly author: string;
  readonly action: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface Administering {
  /** Runs acts in one transaction. @returns their result, and the entries that they left in the log */
  <Result>(
    work: (act: Act) => Promise<Result>,
    author?: string,
  ): Promise<{ readonly result: Result; readonly entries: readonly RecordedAct[] }>;
}

/** Runs acts as an administrator of the console. */
export function administering(sql: Sql): Administering {
  const recorder = { component: 'console', signer: createSigner(generateSigningKey()) } as const;
  return async (work, author = 'an administrator') => {
    const done = await sql.begin(async (transaction) => {
      const result = await inAct(transaction, author, recorder, work);
      const entries = await transaction<RecordedAct[]>`
        select author, action, target, old_value::json as before, new_value::json as after from administration_actions
        where xmin = pg_current_xact_id()::xid order by sequence`;
      return { result, entries: [...entries] };
    });
    return { result: done.result as Awaited<typeof done.result>, entries: done.entries };
  };
}

/** Takes a lock, starts the works, and releases it once all of them wait: they then go on at the same moment. */
export async function allAtOnce<Result>(
  sql: Sql,
  lock: string,
  ...works: readonly (() => Promise<Result>)[]
): Promise<PromiseSettledResult<Result>[]> {
  const begun = await sql.begin(async (transaction) => {
    await transaction.unsafe(lock);
    const running = Promise.allSettled(works.map((work) => work()));
    await untilWaiting(sql, works.length);
    return { running };
  });
  return begun.running;
}

/** Resolves once this many connections of the database wait for a lock. */
export async function untilWaiting(sql: Sql, connections: number): Promise<void> {
  await expect
    .poll(async () => {
      const [row] = await sql<{ waiting: number }[]>`
        select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return row?.waiting;
    })
    .toBe(connections);
}
