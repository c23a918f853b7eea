import type { Sql } from './client.ts';
import type { Connections } from './connections.ts';
import { isRefusedStatement } from './unavailable.ts';

/** A statement as the client keeps it until somebody waits for it: `handler` is what it is then given to. */
interface Written extends Promise<unknown> {
  handler: (statement: Written) => void;
  readonly reject: (error: unknown) => void;
  /** Set where it is read batch by batch. */
  readonly cursorFn?: unknown;
}

/** Whether a call is a statement, and not the name or the values of one. */
function isStatement(first: unknown): boolean {
  return Array.isArray(first) && 'raw' in first;
}

/**
 * Statements that each go to a connection of their own, and wait where none is free. The client's own pool forgets a connection that could
 * not be opened, and after so many waits for ever, also when the database is back.
 * @param client writes statements down, and is never connected.
 */
export function createQuestions(client: Sql, connections: Connections): Sql {
  async function ask(statement: Written): Promise<void> {
    if (statement.cursorFn !== undefined) {
      // Its end is told to nobody else, so that its connection would never be free again.
      statement.reject(new Error('a cursor is read on a connection that was reserved'));
      return;
    }
    try {
      const connection = await connections.taken();
      (connection.sql`` as unknown as Written).handler(statement);
      await statement.catch((error: unknown) => {
        if (!isRefusedStatement(error)) connection.cut(); // nobody knows what it would say next
      });
      connections.giveBack(connection);
    } catch (error) {
      statement.reject(error);
    }
  }
  const led = <Statement>(statement: Statement): Statement =>
    Object.assign(statement as object, { handler: ask }) as Statement;

  const questions = (first: never, ...rest: never[]) => {
    const made = client(first, ...rest);
    return isStatement(first) ? led(made) : made;
  };
  return Object.assign(questions as unknown as Sql, client, {
    unsafe: ((...how: Parameters<Sql['unsafe']>) => led(client.unsafe(...how))) as Sql['unsafe'],
    async reserve() {
      const connection = await connections.taken();
      return Object.assign(connection.sql, { release: () => connections.giveBack(connection) });
    },
  });
}
