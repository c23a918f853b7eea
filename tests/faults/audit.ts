import { DECISIONS, type Sql } from '@gateway/database';
import { verdictOn } from '../../packages/database/src/testing/chain.ts';
import type { Observed } from './callers.ts';
import type { World } from './world.ts';

/** What must not happen, counted. */
export interface Audit {
  /** Requests that reached the engine without an earlier durable decision. */
  readonly unlogged: number;
  /** Whole answers without a usage record after recovery. */
  readonly lostUsage: number;
  /** Numbers that the chain of decisions lacks, and one more where it does not verify. */
  readonly gaps: number;
  /** Calls that got something of another call's answer. */
  readonly crossed: number;
  /** The first few of each, to look into. */
  readonly examples: Readonly<Record<string, readonly string[]>>;
}

const idsOf = (rows: readonly { id: string | null }[]): Set<string | null> => new Set(rows.map(({ id }) => id));

async function withoutUsage(sql: Sql, { whole }: Pick<Observed, 'whole'>): Promise<readonly string[]> {
  const metered = idsOf(
    await sql<{ id: string }[]>`
      select d.request_id as id from request_logs l join authorization_decisions d on d.id = l.id`,
  );
  return [...whole].filter(([id]) => !metered.has(id)).map(([id, circumstances]) => `${id} (${circumstances})`);
}

/** What is compared. */
export interface Evidence {
  readonly callers: { readonly observed: Pick<Observed, 'whole' | 'crossed'> };
  readonly database: Pick<World['database'], 'asOwner'>;
  readonly engine: Pick<World['engine'], 'receipts' | 'early'>;
}

/**
 * Compares what the engine and the callers saw with the database. Call it after recovery, with callers paused.
 * @param settledMs how long usage may still come: it is written behind the answer
 */
export async function audit(evidence: Evidence, settledMs = 60_000): Promise<Audit> {
  const { database, engine } = evidence;
  const { observed } = evidence.callers;
  return database.asOwner(async (sql) => {
    const end = performance.now() + settledMs;
    let lost = await withoutUsage(sql, observed);
    while (lost.length > 0 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      lost = await withoutUsage(sql, observed);
    }
    const granted = idsOf(
      await sql<{ id: string }[]>`select request_id as id from authorization_decisions where outcome = 'granted'`,
    );
    const unlogged = [...new Set([...engine.receipts.filter((id) => !granted.has(id)), ...engine.early])];
    const [chain] = await sql<{ lacking: number }[]>`
      select coalesce(max(sequence) - min(sequence) + 1 - count(*), 0)::int as lacking from authorization_decisions`;
    const verdict = await verdictOn(sql, DECISIONS);
    return {
      unlogged: unlogged.length,
      lostUsage: lost.length,
      gaps: (chain?.lacking ?? 0) + (verdict.ok ? 0 : 1),
      crossed: observed.crossed.length,
      examples: {
        unlogged: unlogged.slice(0, 5),
        lostUsage: lost.slice(0, 5),
        gaps: verdict.ok ? [] : [verdict.sentence],
        crossed: observed.crossed.slice(0, 5),
      },
    };
  });
}
