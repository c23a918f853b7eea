import type { Stats } from 'node:fs';

/** What others than the owner may do with a file or directory; null on systems whose modes say nothing about it. */
export interface Rights {
  /** Permission bits in octal, `0644`. */
  readonly mode: string;
  readonly othersRead: boolean;
  /** That is, all users: many systems give each user a private group with write permission. */
  readonly othersWrite: boolean;
  /** Somebody else owns it, and it is not the superuser. */
  readonly foreign: boolean;
}

/** @param userId null where the system numbers no users. */
export function rightsOf(stats: Stats | null, userId: number | null): Rights | null {
  if (stats === null || userId === null) return null;
  return {
    mode: (stats.mode & 0o7777).toString(8).padStart(4, '0'),
    othersRead: (stats.mode & 0o044) !== 0,
    othersWrite: (stats.mode & 0o002) !== 0,
    foreign: stats.uid !== userId && stats.uid !== 0,
  };
}
