import type { Queryable } from './client.ts';
import type { Connections } from './connections.ts';
import { isReadOnlyFault } from './read-only-server.ts';

/**
 * Runs work in a transaction: all of it is committed, or nothing. What work still does after its connection was lost is refused.
 * @throws DatabaseUnavailable where the connection is lost meanwhile; it may be committed where that was at the very end.
 */
export type Begin = <Result>(work: (transaction: Queryable) => Promise<Result>) => Promise<Result>;

export function createTransactions(connections: Connections): Begin {
  return async (work) => {
    const connection = await connections.taken();
    const { sql, lost } = connection;
    try {
      await sql.unsafe('begin');
      const result = await Promise.race([work(sql), lost]);
      const { command } = await Promise.race([sql.unsafe('commit'), lost]);
      if (command !== 'COMMIT') throw new Error('the server rolled the transaction back');
      return result;
    } catch (error) {
      if (isReadOnlyFault(error)) connection.cut();
      else if (connection.usable()) await Promise.race([sql.unsafe('rollback'), lost]).catch(() => connection.cut());
      throw error;
    } finally {
      connections.giveBack(connection);
    }
  };
}
