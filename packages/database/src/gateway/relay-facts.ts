import { DatabaseUnavailable, unavailable } from '../unavailable.ts';
import { createLane } from './lane.ts';
import { createLink } from './link.ts';
import { type FactRow, factsBatch } from './relay-facts-batch.ts';
import { FACTS, FACTS_WITH_BILLING } from './relay-facts-statement.ts';
import type { RelayFacts, RelayFactsOptions, RelayFactsReader, RelayQuestion } from './relay-facts-types.ts';

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
 * Reads what a relayed call needs, fresh for every request (specification, function 7), one round trip for all who ask at
 * the same time.
 *
 * Faults. Server stopped or unreachable: refused at once. Frozen, or slower than the budget: refused at the deadline, the
 * connection destroyed, the next question on a new one. A lock: the server gives the statement up after a second. A lock on
 * the tables of the consumption alone, or their loss: the rest is read again without them, so that every other cause of
 * refusal is still found first, and the billing says 'unavailable'.
 */
export function createRelayFactsReader(options: RelayFactsOptions): RelayFactsReader {
  const { address, billing, organization, budgetMs } = options;
  const link = createLink({
    address,
    applicationName: 'gateway relay facts',
    budgetMs,
    settings: { lock_timeout: LOCK_TIMEOUT_MS, default_transaction_read_only: 'on' },
  });
  const ask = (deadline: number, text: string, parameters: readonly (string | null)[]) =>
    link.run<FactRow[]>(deadline, async (sql) => [
      ...(await sql.unsafe(text, [...parameters], { prepare: true }).values()),
    ]);

  const facts = createLane<RelayQuestion, RelayFacts>({
    limit: LIMIT,
    async answer(questions, deadline) {
      const batch = factsBatch(questions, organization);
      if (billing) {
        const rows = await ask(deadline, FACTS_WITH_BILLING, batch.parameters).catch(nullWhereRefused);
        if (rows) return batch.facts(rows, 'read');
      }
      const rows = await ask(deadline, FACTS, batch.parameters).catch((error: unknown) => {
        throw unavailable(error);
      });
      return batch.facts(rows, billing ? 'unavailable' : 'none');
    },
  });
  const names = createLane<null, readonly string[]>({
    limit: LIMIT,
    async answer(questions, deadline) {
      const rows = await namesLink
        .run(
          deadline,
          (sql) => sql<{ name: string }[]>`select name from endpoints where active order by name collate "C"`,
        )
        .catch((error: unknown) => {
          throw unavailable(error);
        });
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
