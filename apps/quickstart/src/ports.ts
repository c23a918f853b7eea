import { connect } from 'node:net';
import { freePort } from '@gateway/database/embedded';
import { StartFault } from './fault.ts';

/** A listener whose queue is full does not answer: it is there all the same. */
const SILENT_MILLISECONDS = 1000;

/** Whether another program listens on the port. Asked from outside: a start that is refused never has the port open, not for a moment. */
function isTaken(port: number): Promise<boolean> {
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

/**
 * The port itself, or a free one where 0 was asked for.
 * @throws StartFault naming the option when another program listens there
 */
export async function portFor(what: string, option: string, asked: number): Promise<number> {
  if (asked === 0) return freePort();
  if (!(await isTaken(asked))) return asked;
  throw new StartFault(
    `Port ${asked}, for the ${what}, is taken by another program. End that program, or choose another port with ${option}.`,
  );
}

/** The port asked for, or a free one where it is taken. */
export async function portNear(asked: number): Promise<number> {
  return asked === 0 || (await isTaken(asked)) ? freePort() : asked;
}
