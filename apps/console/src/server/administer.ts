import type { Queryable } from '@gateway/database';
import { type Violation, violationOf } from '@gateway/database/console';
import type { Change } from './administration-log.ts';
import type { Services } from './services.ts';
import { authorOf, type Caller } from './sign-in/caller.ts';

/** Carries a reason out of a transaction that is thereby rolled back. */
class Abandoned<Reason> {
  readonly reason: Reason;
  constructor(reason: Reason) {
    this.reason = reason;
  }
}

export type Outcome<Result, Reason> =
  | { readonly done: Result }
  | ([Reason] extends [never] ? never : { readonly abandoned: Reason })
  | { readonly violated: Violation };

/** What a change's work has at hand. */
export interface Work<Reason> {
  readonly sql: Queryable;
  /** Adds one entry to the administration log. */
  readonly record: (change: Change) => Promise<void>;
  /** Gives the change up and rolls back: nothing is stored, nothing recorded. */
  readonly abandon: (reason: Reason) => never;
}

/**
 * Does a change and records it, both or neither. A constraint of the schema that refuses it comes back as a value, since between
 * a look and a write another administrator may have been quicker.
 */
export async function administer<Result, Reason = never>(
  call: { readonly services: Services; readonly caller: Caller },
  work: (at: Work<Reason>) => Promise<Result>,
): Promise<Outcome<Result, Reason>> {
  const { database, administration } = call.services;
  const author = authorOf(call.caller);
  try {
    const done = await database.begin((sql) =>
      work({
        sql,
        record: (change) => administration.append(sql, { ...change, author }),
        abandon(reason) {
          throw new Abandoned(reason);
        },
      }),
    );
    return { done: done as Result };
  } catch (error) {
    if (error instanceof Abandoned) return { abandoned: error.reason } as Outcome<Result, Reason>;
    const violated = violationOf(error);
    if (violated === undefined) throw error;
    return { violated };
  }
}
