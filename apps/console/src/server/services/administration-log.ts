import { isDeepStrictEqual } from 'node:util';
import { appendAdministrationAction, type Queryable } from '@gateway/database';
import type { JsonValue, Signer } from '@gateway/ledger';

/** What one act of administration changed: both values whole, so that the log tells it without the database's help. */
export interface Change {
  /** What was done, as `provider.create`. */
  readonly action: string;
  /** To what, as `provider:<slug>`. */
  readonly target: string;
  /** Null where it did not exist before. Never a key. */
  readonly before: unknown;
  /** Null where it does not exist any more. Never a key. */
  readonly after: unknown;
}

/** Appends to the chained, sealed administration log inside the transaction that makes the change (console-15). */
export interface AdministrationLog {
  append(transaction: Queryable, entry: Change & { readonly author: string }): Promise<void>;
}

/** The value as the log keeps it: instants as ISO text, members without a value left out. */
function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value ?? null)) as JsonValue;
}

export function createAdministrationLog(signer: Signer): AdministrationLog {
  return {
    async append(transaction, { action, target, author, before, after }) {
      const [oldValue, newValue] = [asJson(before), asJson(after)];
      // Who sends what is stored already changes nothing: the log tells changes, and acts that leave nothing to compare.
      if (oldValue !== null && isDeepStrictEqual(oldValue, newValue)) return;
      const entry = { component: 'console', author, action, target, oldValue, newValue } as const;
      await appendAdministrationAction(transaction, entry, signer);
    },
  };
}
