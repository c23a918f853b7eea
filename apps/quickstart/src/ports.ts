import { connect, createServer } from 'node:net';
import { StartFault } from './fault.ts';

/** Listens for a moment. Resolves with the port, or with null where another program holds it. */
function listenOnce(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(new StartFault(`Port ${port} cannot be listened on: ${error.message}.`));
    });
    server.listen({ port, host: '127.0.0.1' }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null));
    });
  });
}

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
    socket.setTimeout(SILENT_MILLISECONDS, () => settle(true));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/**
 * The port itself, or a free one where 0 was asked for.
 * @throws StartFault naming the option when another program listens there
 */
export async function portFor(what: string, option: string, asked: number): Promise<number> {
  const port = asked === 0 ? await listenOnce(0) : (await isTaken(asked)) ? null : asked;
  if (port !== null) return port;
  throw new StartFault(
    `Port ${asked}, for the ${what}, is taken by another program. End that program, or choose another port with ${option}.`,
  );
}

/** The port asked for, or a free one where it is taken. */
export async function portNear(asked: number): Promise<number> {
  const port = (await listenOnce(asked)) ?? (await listenOnce(0));
  if (port === null) throw new StartFault('No TCP port is free on 127.0.0.1.');
  return port;
}
