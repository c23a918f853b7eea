import type { Socket } from 'node:net';
import type { DatabaseAddress } from './address.ts';
import { openSocket } from './socket.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/**
 * One socket whose end is ours to decide. The database client only ever half-closes its sockets, which a frozen server
 * never notices; a connection that missed its budget must be gone at once.
 */
export interface OwnedSocket {
  /** Opens the socket; every call after the first is refused, so that the client cannot reconnect by itself. */
  open(): Promise<Socket>;
  /** Cuts it, also while it is still being opened. @param cause what the statements under way are refused with */
  destroy(cause?: Error): void;
  /** Whether a next statement may use it. */
  usable(): boolean;
}

/** @param onLost called once it was opened, or half opened, and is lost. */
export function createOwnedSocket(
  address: DatabaseAddress,
  timeoutMs: number,
  onLost: () => void = () => {},
): OwnedSocket {
  let raw: Socket | undefined;
  let socket: Socket | undefined;
  let over = false;
  return {
    async open() {
      if (over || raw) throw new DatabaseUnavailable('the connection was lost');
      socket = await openSocket(address, timeoutMs, (opening) => {
        raw = opening;
        opening.once('close', () => {
          over = true;
          onLost();
        });
      });
      return socket;
    },
    destroy(cause) {
      over = true;
      socket?.destroy(cause);
      raw?.destroy(cause);
    },
    usable: () => !over,
  };
}
