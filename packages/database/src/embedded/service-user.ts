import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { connect } from 'node:net';

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

/** How many ports are tried where others take them first. */
const ATTEMPTS = 5;
/** A listener with a full queue does not answer, but exists. */
const SILENT_MILLISECONDS = 1000;

/**
 * Starts a program on a free port, and on another one if that port was taken after the check. Other failures are passed on
 * immediately.
 */
export async function onFreePort<Started>(start: (port: number) => Promise<Started>): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return await start(port);
    } catch (error) {
      if (attempt === ATTEMPTS || !(await isTaken(port))) throw error;
    }
  }
}

/** A port of this machine without a listener. */
export async function freePort(): Promise<number> {
  // Below the ephemeral ports, so that no outgoing connection takes it between this check and its use.
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if (!(await isTaken(port))) return port;
  }
}

/** Whether a program of this machine listens on the port. It connects to the port and never opens it. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const settle = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    // An answer that arrived while this program was delayed is read first.
    socket.setTimeout(SILENT_MILLISECONDS, () => setImmediate(() => settle(true)));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
