import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy before PostgreSQL that can cut the server's reply at any byte. */
export interface FaultProxy {
  /** The address through the proxy. */
  through(url: string): string;
  /** From now on the server's bytes are counted, and the connection is cut after the given number. Null: no more cuts. */
  cutAfter(bytes: number | null): void;
  /** The same, for the first connection that reaches this number: what follows passes. */
  cutOnceAfter(bytes: number): void;
  /** The same, but after that number the server is silent; connections stay open. */
  silentAfter(bytes: number): void;
  /** Bytes the server sent since `cutAfter` was called. */
  replied(): number;
  /** From now on connections reach another server, as after a change of address; open ones are cut. */
  leadTo(url: string): void;
  /** How many connections were ever opened. */
  connections(): number;
  close(): Promise<void>;
}

export async function startFaultProxy(url: string): Promise<FaultProxy> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  let limit: number | null = null;
  let isSilent = false;
  let isOnce = false;
  let replied = 0;
  let opened = 0;
  const server = createServer((client) => {
    opened += 1;
    const upstream = connect(Number(target.port), target.hostname);
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', cut).on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (bytes: Buffer) => {
      const allowed = limit === null ? bytes.length : limit - replied;
      replied += bytes.length;
      if (bytes.length <= allowed) {
        client.write(bytes);
        return;
      }
      if (isOnce) limit = null;
      client.write(bytes.subarray(0, Math.max(0, allowed)), () => isSilent || cut());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    through: (other) => Object.assign(new URL(other), { port: String(port) }).href,
    cutAfter(bytes) {
      limit = bytes;
      [isSilent, isOnce] = [false, false];
      replied = 0;
    },
    cutOnceAfter(bytes) {
      limit = bytes;
      [isSilent, isOnce] = [false, true];
      replied = 0;
    },
    silentAfter(bytes) {
      limit = bytes;
      [isSilent, isOnce] = [true, false];
      replied = 0;
    },
    leadTo(other) {
      target = new URL(other);
      for (const socket of sockets) socket.destroy();
    },
    replied: () => replied,
    connections: () => opened,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
