import { chownSync } from 'node:fs';

/** A user who owns nothing here. */
const NOBODY = 65_534;

/** Does something without the superuser's right to read and write everything, which tests may run with. */
export async function withoutPrivileges<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

/**
 * Makes a file or directory belong to another user.
 * @returns the id of the current user for the test: only the superuser can change owners, so every other user changes the id
 * instead.
 */
export function givenAway(path: string): number {
  const me = process.geteuid?.() ?? 0;
  if (me !== 0) return me + 1;
  chownSync(path, NOBODY, -1);
  return me;
}
