import { type CompiledPolicySet, compilePolicySet } from '@gateway/access';
import type { Revision } from '@gateway/database';
import { keepRevisions } from '../../process/revisions.ts';

/** The policy set of a revision, compiled. Rejects where it cannot be read or may not be in force: then nothing is decided. */
export type Policies = (revision: Revision, deadline: number) => CompiledPolicySet | Promise<CompiledPolicySet>;

/**
 * Compiles each revision once and caches only the compiled form (roles-18).
 * @param read the text of a revision; the deadline is on the clock of `performance.now()`
 */
export function createPolicies(read: (revision: Revision, deadline: number) => Promise<string>): Policies {
  return keepRevisions(async (revision, deadline) => compilePolicySet(await read(revision, deadline)));
}
