import { execFileSync } from 'node:child_process';

/** Under which user the server runs. PostgreSQL refuses to run as root. */
export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user that the embedded server runs under: null means the user of this process. Root hands the server to `nobody`,
 * which every system has, so that no user has to be created (initdb needs one that the system knows by name).
 */
export function serviceUser(): ServiceUser | null {
  if (process.getuid?.() !== 0) return null;
  const number = (flag: string): number => {
    const id = Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }).trim());
    return id < 0 ? id + 2 ** 32 : id;
  };
  return { uid: number('-u'), gid: number('-g') };
}
