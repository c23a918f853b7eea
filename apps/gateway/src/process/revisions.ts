import type { Revision } from '@gateway/contract';

/** Cached revisions: the one in force, and those of running calls. */
const KEPT = 4;

/**
 * Caches what was made of a revision, which never changes. The revision in force is read again with every call's facts.
 * Concurrent calls share one `make`; a failed one is repeated.
 * @param make the deadline is on the clock of `performance.now()`
 */
export function keepRevisions<Made>(
  make: (revision: Revision, deadline: number) => Promise<Made>,
): (revision: Revision, deadline: number) => Made | Promise<Made> {
  const kept = new Map<string, Made>();
  const pending = new Map<string, Promise<Made>>();

  async function load(name: string, revision: Revision, deadline: number): Promise<Made> {
    const made = await make(revision, deadline);
    kept.set(name, made);
    for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
    return made;
  }

  return (revision, deadline) => {
    const name = `${revision.number} ${revision.installedAt}`;
    const known = kept.get(name) ?? pending.get(name);
    if (known !== undefined) return known;
    const loading = load(name, revision, deadline).finally(() => pending.delete(name));
    pending.set(name, loading);
    return loading;
  };
}
