/** Revisions kept: the one in force, and those that calls under way were told of. */
const KEPT = 4;

/**
 * Keeps what was made of a revision, however many calls ask for it: a revision never changes. Which one is in force is read anew
 * with every call's facts. Calls that ask while it is made wait for the same one; what could not be made is made anew.
 * @param make the deadline is on the clock of `performance.now()`
 */
export function keepRevisions<Made>(
  make: (revision: number, deadline: number) => Promise<Made>,
): (revision: number, deadline: number) => Made | Promise<Made> {
  const kept = new Map<number, Made>();
  const pending = new Map<number, Promise<Made>>();

  async function load(revision: number, deadline: number): Promise<Made> {
    const made = await make(revision, deadline);
    kept.set(revision, made);
    for (const oldest of kept.keys()) if (kept.size > KEPT) kept.delete(oldest);
    return made;
  }

  return (revision, deadline) => {
    const known = kept.get(revision) ?? pending.get(revision);
    if (known !== undefined) return known;
    const loading = load(revision, deadline).finally(() => pending.delete(revision));
    pending.set(revision, loading);
    return loading;
  };
}
