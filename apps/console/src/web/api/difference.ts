import type { ChangeCall } from './change.ts';

/**
 * The members of a body that the form changed; the rest may have been changed by another administrator meanwhile. Null if none
 * was. Members are texts, numbers, booleans, null, and lists of them.
 */
export function differenceOf<Body extends object>(began: Body, now: Body): Partial<Body> | null {
  const before = new Map(Object.entries(began));
  const changed = Object.entries(now).filter(([name, value]) => !isSame(before.get(name), value));
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Body>);
}

function isSame(before: unknown, now: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(now)) return Object.is(before, now);
  return before.length === now.length && before.every((one, index) => Object.is(one, now[index]));
}

/** The change from the stored object to the form. Null if nothing was changed in the form. */
export function correction<Body extends object>(what: string, path: string, began: Body, now: Body): ChangeCall | null {
  const body = differenceOf(began, now);
  return body && { method: 'PATCH', path, body, done: `${what} saved. It takes effect with the next call.` };
}
