import { codeOf, readOrMakeSigner } from '@gateway/configuration';
import type { Sql } from '@gateway/database';
import { type Act, type Operator, operate } from '@gateway/database/audit-log/act';
import { type Violation, violationOf } from '@gateway/database/client/conditions';
import { type Signer, SigningKeyFault } from '@gateway/ledger';
import { checkText } from './check.ts';
import { CommandFailed, type Context, WrongUsage } from './context.ts';
import { withDatabase } from './owner-database.ts';

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

/** The sequence that an option names; 0, before the first entry, if it is absent. */
export function sequenceOf(option: string, text = '0'): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new WrongUsage(`${option} takes the sequence of an entry.`);
  return BigInt(text);
}

/**
 * The key that seals this operator's acts (log-6). Without GATEWAY_SIGNING_KEY_FILE, every operator has a key of their own in
 * their state directory: the log shows whose key sealed an act, and no key is shared.
 */
export function openSigningKey(file: string): Signer {
  try {
    return readOrMakeSigner(file);
  } catch (error) {
    if (error instanceof SigningKeyFault) throw new CommandFailed(`The signing key ${file} ${error.message}.`);
    throw new CommandFailed(
      `The signing key ${file} can be neither read nor created (${codeOf(error)}): set another path in GATEWAY_SIGNING_KEY_FILE.`,
    );
  }
}
