import type { Sql } from '@gateway/database';
import type { Operator } from '@gateway/database/administration';
import type { Context } from '../context/context.ts';
import { checkedWords } from './checked.ts';
import { withDatabase } from './owner-database.ts';
import { openSigningKey } from './signing-key.ts';

/** Runs an act of an operator: the database as its owner, the author, and the key that seals the record. */
export async function withOperator<Result>(
  { environment }: Context,
  author: string | undefined,
  work: (sql: Sql, operator: Operator) => Promise<Result>,
): Promise<Result> {
  const name = checkedWords(author ?? environment.operator, 'author');
  return withDatabase(environment, (sql) =>
    work(sql, { author: name, signer: openSigningKey(environment.signingKeyFile) }),
  );
}
