import { connect, type Socket } from 'node:net';
import type { DatabaseAddress } from '../connect.ts';

/**
 * One TCP (or Unix) socket whose end is ours to decide. The database client only ever half-closes its sockets, which a
 * frozen server never notices; a connection that missed its budget must be gone at once.
 */
export interface OwnedSocket {
  /** Opens the socket; every call after the first is refused, so that the client cannot reconnect behind our back. */
  open(): Promise<Socket>;
  /** Cuts it, also while it is still being opened. */
  destroy(): void;
  /** Whether a next statement may use it. */
  usable(): boolean;
}

export function createOwnedSocket({ host, port }: DatabaseAddress): OwnedSocket {
  let socket: Socket | undefined;
  let over = false;
  return {
    open: () =>
      new Promise((resolve, reject) => {
        if (over || socket) {
          reject(new Error('the connection was lost'));
          return;
        }
        const opening = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
        socket = opening;
        opening.setNoDelay(true);
        opening.once('error', reject);
        opening.once('close', () => {
          over = true;
          reject(new Error('the connection was closed'));
        });
        opening.once('connect', () => {
          opening.off('error', reject);
          opening.on('error', () => {}); // the client hears of it by itself; after a cut it no longer listens
          resolve(opening);
        });
      }),
    destroy() {
      over = true;
      socket?.destroy();
    },
    usable: () => !over,
  };
}
