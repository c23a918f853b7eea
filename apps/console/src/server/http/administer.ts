import { DatabaseUnavailable } from '@gateway/database';
import { type Act, inAct } from '@gateway/database/audit-log/act';
import { type Violation, violationOf } from '@gateway/database/client/conditions';
import { authorOf } from './caller.ts';
import type { Call } from './route.ts';

/** Carries a reason out of a transaction that is rolled back. */
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

/** An act that its work can give up. */
export interface Work<Reason> extends Act {
  /** Gives the change up and rolls back: nothing is stored, nothing recorded. */
  readonly abandon: (reason: Reason) => never;
}

/**
 * Does a change and records it, both or neither. A violated constraint comes back as a value: another administrator may have
 * been faster. A change not done by the deadline is rolled back: its caller already has a 503, and may have lost the right.
 */
export async function administer<Result, Reason = never>(
  call: Pick<Call<unknown, unknown>, 'services' | 'caller' | 'deadline'>,
  work: (at: Work<Reason>) => Promise<Result>,
): Promise<Outcome<Result, Reason>> {
  const { database, signer } = call.services;
  try {
    const done = await database.begin(async (sql) => {
      const abandon = (reason: Reason): never => {
        throw new Abandoned(reason);
      };
      const result = await inAct(sql, authorOf(call.caller), { component: 'console', signer }, (act) =>
        work({ ...act, abandon }),
      );
      if (performance.now() > call.deadline) throw new DatabaseUnavailable('a change was not completed in time');
      return result;
    });
    return { done: done as Result };
  } catch (error) {
    if (error instanceof Abandoned) return { abandoned: error.reason } as Outcome<Result, Reason>;
    const violated = violationOf(error);
    if (violated === undefined) throw error;
    return { violated };
  }
}
