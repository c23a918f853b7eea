import { execFileSync } from 'node:child_process';

/** Under which user the server runs. PostgreSQL refuses to run as root. */
export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user of the embedded server: null means the user of this process. For root it is `nobody`, which every system has, so that
 * no user has to be created (initdb needs one with a name).
 */
export function serviceUser(): ServiceUser | null {
  if (process.getuid?.() !== 0) return null;
  const number = (flag: string): number => {
    const id = Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }).trim());
    return id < 0 ? id + 2 ** 32 : id;
  };
  return { uid: number('-u'), gid: number('-g') };
}
