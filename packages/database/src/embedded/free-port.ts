import { randomInt } from 'node:crypto';
import { connect } from 'node:net';

/** How many ports are tried where others take them first. */
const ATTEMPTS = 5;
/** A listener whose queue is full does not answer: it is there all the same. */
const SILENT_MILLISECONDS = 1000;

/**
 * Starts something on a free port, and again on another one where somebody else took that port between the look and its
 * use. What fails for another reason fails with it at once.
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

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  // Below the ports that systems give to outgoing connections, so that nobody takes it between this look and its use.
  for (;;) {
    const port = randomInt(10_000, 30_000);
    if (!(await isTaken(port))) return port;
  }
}

/** Whether a program of this machine listens on the port. Asked from outside: looking never has the port open, not for a moment. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const settle = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    // An answer that came while this program was held up is read first.
    socket.setTimeout(SILENT_MILLISECONDS, () => setImmediate(() => settle(true)));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
