import { randomInt } from 'node:crypto';
import { connect } from 'node:net';

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
