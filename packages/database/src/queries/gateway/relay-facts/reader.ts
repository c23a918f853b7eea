import { answered } from '../../../client/answers.ts';
import { createLane } from '../../../client/batcher.ts';
import { createLink } from '../../../client/link.ts';
import { DatabaseUnavailable, unavailable } from '../../../client/unavailable.ts';
import { factsBatch } from './batch.ts';
import type { BillingState, FactRow } from './rows.ts';
import { singleFacts, singleQuery } from './single.ts';
import type { RelayFacts, RelayFactsOptions, RelayFactsReader, RelayQuestion } from './types.ts';

/** Null where the server answered and refused the statement (a lock, a missing table); every other fault goes on. */
function nullWhereRefused(error: unknown): null {
  if (error instanceof DatabaseUnavailable) throw error;
  return null;
}

/** Questions of one round trip. More callers than this at once wait for the next. */
const LIMIT = 256;

/** How long a table may be locked before it counts as unreadable: two attempts and the record fit into the budget of 5 s. */
const LOCK_TIMEOUT_MS = 1000;

/**
 * One way to every row, whatever the sizes of the tables: the plan is made once, perhaps on empty tables, and must still
 * hold with ten million records.
 */
const LOOK_UP_BY_INDEX = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
  join_collapse_limit: 1,
  from_collapse_limit: 1,
};

/**
 * Reads what a relayed call needs, fresh for every request (roles-15), one round trip for all who ask at
 * the same time.
 *
 * Faults. Server stopped or unreachable: refused at once. Frozen, or slower than the budget: refused at the deadline, the
 * connection destroyed, the next question on a new one. A lock: the server gives the statement up after a second. A lock on
 * the tables of the consumption alone, or their loss: the rest is read again without them, so that every other cause of
 * refusal is still found first, and the billing says 'unavailable'.
 */
export function createRelayFactsReader(options: RelayFactsOptions): RelayFactsReader {
  const { address, billing, organization, budgetMs, onConsumption, onBatch } = options;
  const link = createLink({
    address,
    applicationName: 'gateway relay facts',
    budgetMs,
    settings: { lock_timeout: LOCK_TIMEOUT_MS, default_transaction_read_only: 'on', ...LOOK_UP_BY_INDEX },
  });

  /** Rows with the billing where it is asked for and can be read, else without. */
  async function ask(
    deadline: number,
    query: (billing: boolean) => { readonly text: string; readonly parameters: readonly (string | null)[] },
  ): Promise<{ readonly rows: readonly FactRow[]; readonly state: BillingState }> {
    const run = (withBilling: boolean): Promise<FactRow[]> =>
      link.run(deadline, async (sql) => {
        const { text, parameters } = query(withBilling);
        return [...(await sql.unsafe(text, [...parameters], { prepare: true }).values())];
      });
    if (billing) {
      const reading = run(true);
      onConsumption?.(reading);
      const rows = await reading.catch(nullWhereRefused);
      if (rows) return { rows, state: 'read' };
    }
    try {
      return { rows: await run(false), state: billing ? 'unavailable' : 'none' };
    } catch (error) {
      throw unavailable(error);
    }
  }

  const facts = createLane<RelayQuestion, RelayFacts>({
    limit: LIMIT,
    ...(onBatch && { onBatch }),
    async answer(questions, deadline) {
      const [alone] = questions;
      if (alone && questions.length === 1) {
        const { rows, state } = await ask(deadline, (withBilling) => singleQuery(alone, organization, withBilling));
        return rows.map((row) => singleFacts(row, state));
      }
      const batch = factsBatch(questions, organization);
      const { parameters } = batch;
      const { rows, state } = await ask(deadline, (withBilling) => ({ text: batch.text(withBilling), parameters }));
      return batch.facts(rows, state);
    },
  });
  const names = createLane<null, readonly string[]>({
    limit: LIMIT,
    async answer(questions, deadline) {
      const rows = await answered(
        namesLink,
        deadline,
        (sql) => sql<{ name: string }[]>`select name from endpoints where active order by name collate "C"`,
      );
      const sorted = rows.map(({ name }) => name);
      return questions.map(() => sorted);
    },
  });
  const namesLink = createLink({
    address,
    applicationName: 'gateway endpoint names',
    budgetMs,
    settings: { lock_timeout: LOCK_TIMEOUT_MS },
  });
  return {
    read: (question, deadline = performance.now() + budgetMs) => facts.ask(question, deadline),
    activeEndpointNames: (deadline = performance.now() + budgetMs) => names.ask(null, deadline),
    close() {
      link.cut();
      namesLink.cut();
    },
  };
}
