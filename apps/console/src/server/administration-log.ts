import type { Queryable } from '@gateway/database';

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

/** Appends to the chained, sealed administration log inside the transaction that makes the change (decisions §7). */
export interface AdministrationLog {
  append(transaction: Queryable, entry: Change & { readonly author: string }): Promise<void>;
}
