import type { Signer } from '@gateway/ledger';
import type { Sql } from '../client/connect.ts';
import type { Act } from './act.ts';
import { appendAdministrationAction } from './index.ts';

/** Who acts at the terminal, and the key their acts are sealed with. */
export interface Operator {
  readonly author: string;
  readonly signer: Signer;
}

/** What an operator asked for cannot be done. The message is a sentence for that person. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
}

/** Runs an act and its record in one transaction: neither is there without the other. */
export async function operate<Result>(
  sql: Sql,
  { author, signer }: Operator,
  work: (act: Act) => Promise<Result>,
): Promise<Result> {
  const done = await sql.begin(async (transaction) => ({
    // In an object: the client's type takes a list apart.
    result: await work({
      sql: transaction,
      record: ({ action, target, before, after }) =>
        appendAdministrationAction(
          transaction,
          { component: 'gatewayctl', author, action, target, oldValue: before, newValue: after },
          signer,
        ),
    }),
  }));
  return done.result;
}
