import { createServer } from 'node:net';
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

/**
 * The port itself, or a free one where 0 was asked for.
 * @throws StartFault naming the option when another program listens there
 */
export async function portFor(what: string, option: string, asked: number): Promise<number> {
  const port = await listenOnce(asked);
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
