import type { Revision } from '@gateway/database';

/** Revisions kept: the one in force, and those that calls under way were told of. */
const KEPT = 4;

/**
 * Keeps what was made of a revision, however many calls ask for it: a revision never changes, and is told from another of its number. Which one is in force is read again
 * with every call's facts. Calls that ask while it is made wait for the same one; what could not be made is made again.
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
