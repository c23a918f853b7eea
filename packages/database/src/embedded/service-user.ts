import { execFileSync, spawnSync } from 'node:child_process';

/** Under which user the server runs. PostgreSQL refuses to run as root. */
export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user of the embedded server: null means the user of this process. For root it is the named user, which is created where the
 * system can; otherwise `nobody`, which every system has (initdb needs one with a name). Other programs may run as `nobody`, too,
 * and could then read the data.
 */
export function serviceUser(own: string | null = null): ServiceUser | null {
  if (process.getuid?.() !== 0) return null;
  return (own === null ? null : (userOf(own) ?? createUser(own))) ?? userOf('nobody');
}

function createUser(name: string): ServiceUser | null {
  const options = [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    '--shell',
    '/usr/sbin/nologin',
  ];
  spawnSync('useradd', [...options, name], { stdio: 'ignore' });
  return userOf(name);
}

function userOf(name: string): ServiceUser | null {
  const number = (flag: string): number => {
    const id = Number(
      execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
    );
    return id < 0 ? id + 2 ** 32 : id;
  };
  try {
    return { uid: number('-u'), gid: number('-g') };
  } catch {
    return null;
  }
}
