import type { PendingQuery, Row } from 'postgres';
import type { Sql } from './client.ts';
import type { Connections } from './connections.ts';
import { isRefusedStatement } from './unavailable.ts';

type Statement = PendingQuery<Row[]>;

/** Methods of a statement that keep its connection for longer than one reply. */
const NEEDS_RESERVED = ['cursor', 'forEach', 'readable', 'writable', 'cancel'] as const;

/** Whether a call is a statement, and not the name or the values of one. */
function isStatement(first: unknown): boolean {
  return Array.isArray(first) && 'raw' in first;
}

function needsReserved(): never {
  throw new Error('a cursor is read on a connection that was reserved');
}

/**
 * Statements that each go to a connection of their own, and wait where none is free. The client's own pool forgets a connection that could
 * not be opened, and after so many waits for ever, also when the database is back.
 * @param client makes statements, and is never connected: what runs is made again by the client of a connection.
 */
export function createQueries(client: Sql, connections: Connections): Sql {
  async function run(make: (sql: Sql) => Statement): Promise<unknown> {
    const connection = await connections.taken();
    try {
      return await make(connection.sql);
    } catch (error) {
      if (!isRefusedStatement(error)) connection.cut(); // its state is unknown
      throw error;
    } finally {
      connections.giveBack(connection);
    }
  }

  /** A statement that may be a part of another, and runs when it is awaited. */
  function pooled(make: (sql: Sql) => Statement): Statement {
    const statement = make(client);
    let running: Promise<unknown> | undefined;
    const started = () => (running ??= run(make));
    const own = {
      // biome-ignore lint/suspicious/noThenProperty: the statement is a promise, and its `then` would send it to the client that is never connected
      // oxlint-disable-next-line no-thenable
      then: (...how: Parameters<Promise<unknown>['then']>) => started().then(...how),
      catch: (...how: Parameters<Promise<unknown>['catch']>) => started().catch(...how),
      finally: (...how: Parameters<Promise<unknown>['finally']>) => started().finally(...how),
      execute() {
        started().catch(() => {}); // callers that wait for the statement receive the failure
        return statement;
      },
      values: () => pooled((sql) => make(sql).values() as unknown as Statement),
      raw: () => pooled((sql) => make(sql).raw() as unknown as Statement),
      simple: () => pooled((sql) => make(sql).simple()),
      describe: () => pooled((sql) => make(sql).describe() as unknown as Statement),
      ...Object.fromEntries(NEEDS_RESERVED.map((name) => [name, needsReserved])),
    };
    return Object.assign(statement as object, own) as unknown as Statement;
  }

  const queries = (first: never, ...rest: never[]) =>
    isStatement(first) ? pooled((sql) => sql(first, ...rest)) : client(first, ...rest);
  return Object.assign(queries as unknown as Sql, client, {
    unsafe: ((...how: Parameters<Sql['unsafe']>) => pooled((sql) => sql.unsafe(...how))) as Sql['unsafe'],
    async reserve() {
      const connection = await connections.taken();
      return Object.assign(connection.sql, { release: () => connections.giveBack(connection) });
    },
  });
}
