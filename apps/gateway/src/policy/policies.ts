import { type CompiledPolicySet, compilePolicySet } from '@gateway/access';

/** The policy set of a revision, compiled. Rejects where it cannot be read or may not be in force: then nothing is decided. */
export type Policies = (revision: number, deadline: number) => CompiledPolicySet | Promise<CompiledPolicySet>;

/** Revisions kept: the one in force, and those that calls under way were told of. */
const KEPT = 4;

/**
 * Compiles each revision once and keeps nothing but the compiled form (decisions §6). Which revision is in force is read anew
 * with every call's facts.
 * @param read the text of a revision; the deadline is on the clock of `performance.now()`
 */
export function createPolicies(read: (revision: number, deadline: number) => Promise<string>): Policies {
  const kept = new Map<number, CompiledPolicySet>();
  const pending = new Map<number, Promise<CompiledPolicySet>>();

  async function load(revision: number, deadline: number): Promise<CompiledPolicySet> {
    const set = compilePolicySet(await read(revision, deadline));
    kept.set(revision, set);
    for (const oldest of kept.keys()) {
      if (kept.size > KEPT) kept.delete(oldest);
    }
    return set;
  }

  return (revision, deadline) => {
    const known = kept.get(revision) ?? pending.get(revision);
    if (known !== undefined) return known;
    const loading = load(revision, deadline).finally(() => pending.delete(revision));
    pending.set(revision, loading);
    return loading;
  };
}
