import type { Sql } from '@gateway/database';
import { type Act, type Operator, operate } from '@gateway/database/administration';
import { type Violation, violationOf } from '@gateway/database/console';
import type { Context } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { checkText } from './check.ts';
import { withDatabase } from './owner-database.ts';
import { openSigningKey } from './signing-key.ts';

/** Runs the work of an operator: the database as its owner, the author, and the key that seals the record. */
export async function withOperator<Result>(
  { environment }: Context,
  author: string | undefined,
  work: (sql: Sql, operator: Operator) => Promise<Result>,
): Promise<Result> {
  const name = checkText(author ?? environment.operator, 'author');
  return withDatabase(environment, (sql) =>
    work(sql, { author: name, signer: openSigningKey(environment.signingKeyFile) }),
  );
}

/**
 * Runs the acts of an operator in one transaction.
 * @param refused the sentence for a constraint of the schema that refuses them
 */
export async function withAct<Result>(
  context: Context,
  author: string | undefined,
  work: (act: Act) => Promise<Result>,
  refused: (violated: Violation) => string | undefined = () => undefined,
): Promise<Result> {
  try {
    return await withOperator(context, author, (sql, operator) => operate(sql, operator, work));
  } catch (error) {
    const violated = violationOf(error);
    const sentence = violated && refused(violated);
    if (sentence === undefined) throw error;
    throw new CommandFailed(sentence);
  }
}
