import { readFileSync } from 'node:fs';

/** User ids that sandboxes have outside of them, one for each subject. */
export interface UserIds {
  readonly first: number;
  readonly count: number;
}

/**
 * The ids of a range that this process can use: in a user namespace, as in most containers without privileges, unmapped ids do
 * not exist. At least one is tried, so that the start reports why it is unavailable.
 * @param map text of `/proc/self/uid_map`: first id inside, first id outside, count
 */
export function userIdsOf(first: number, count: number, map: string): UserIds {
  for (const line of map.split('\n')) {
    const [from = Number.NaN, , length = 0] = line.trim().split(/\s+/).map(Number);
    if (first >= from && first < from + length) return { first, count: Math.min(count, from + length - first) };
  }
  return { first, count: 1 };
}

export function readUserMap(): string {
  try {
    return readFileSync('/proc/self/uid_map', 'utf8');
  } catch {
    return '';
  }
}

export function formatIds({ first, count }: UserIds): string {
  return count === 1
    ? `user id ${first}, which all of them share`
    : `user ids ${first} to ${first + count - 1}, one for each subject`;
}
