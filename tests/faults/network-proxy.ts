import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a network does to the connections through it. */
export type NetworkFault =
  | { readonly kind: 'delay'; readonly milliseconds: number }
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** Each connection ends after this many bytes from the server. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** Open connections are reset, and so are new ones. */
  | { readonly kind: 'reset' }
  /** Nothing passes, and nobody is notified. */
  | { readonly kind: 'stall' };

/** A TCP proxy that behaves like a faulty network. */
export interface NetworkProxy {
  /** The same address through the proxy. */
  through(url: string): string;
  /** From now on; null: a network without faults. */
  behave(fault: NetworkFault | null): void;
  /** New connections go to another server; open ones end. */
  redirect(url: string): void;
  close(): Promise<void>;
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function startNetworkProxy(url: string): Promise<NetworkProxy> {
  let target = new URL(url);
  let fault: NetworkFault | null = null;
  let healed = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const resetAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };

  async function untilPassable(): Promise<void> {
    if (fault?.kind !== 'stall') return;
    await healed.promise;
    await untilPassable();
  }

  /** Forwards the data of one side, in order, as the network allows. */
  async function relay(from: Socket, to: Socket, isServer: boolean): Promise<void> {
    let sent = 0;
    let counted: NetworkFault | null = null;
    for await (const bytes of from as AsyncIterable<Buffer>) {
      await untilPassable();
      if (counted !== fault) [counted, sent] = [fault, 0];
      if (fault?.kind === 'delay') await pause(fault.milliseconds);
      if (fault?.kind === 'throttle') await pause((bytes.length / fault.bytesPerSecond) * 1000);
      if (fault?.kind === 'cut' && isServer && sent + bytes.length > fault.bytes) {
        to.write(bytes.subarray(0, Math.max(0, fault.bytes - sent)), () => to.destroy());
        from.destroy();
        return;
      }
      sent += bytes.length;
      if (!to.write(bytes)) await once(to, 'drain');
    }
    to.end();
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const upstream = connect({
      port: Number(target.port),
      host: target.hostname,
      allowHalfOpen: true,
      noDelay: true,
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    if (fault?.kind === 'reset') {
      client.resetAndDestroy();
      return;
    }
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    relay(client, upstream, false).catch(end);
    relay(upstream, client, true).catch(end);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    through: (other) => Object.assign(new URL(other), { port: String(port) }).href,
    behave(next) {
      fault = next;
      healed.resolve();
      healed = Promise.withResolvers();
      if (fault?.kind === 'reset') resetAll();
    },
    redirect(other) {
      target = new URL(other);
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      server.close();
      healed.resolve();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
