import { isIP, connect as openTcp, type Socket } from 'node:net';
import { checkServerIdentity, connect as openTls } from 'node:tls';
import type { DatabaseAddress } from './address.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/** Requests TLS from the server before any other message (PostgreSQL protocol, SSLRequest). */
const TLS_REQUEST = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const TLS_ACCEPTED = 'S';

/** Resolves with the event's value; rejects when the socket fails or closes first. */
function happens<Value>(socket: Socket, event: 'connect' | 'data' | 'secureConnect'): Promise<Value> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off('error', failed).off('close', closed).off(event, happened);
      act();
    };
    const failed = (error: Error): void => settle(() => reject(error));
    const closed = (): void => settle(() => reject(new DatabaseUnavailable('the server closed the connection')));
    const happened = (value: Value): void => settle(() => resolve(value));
    socket.on('error', failed).on('close', closed).on(event, happened);
  });
}

async function startTls(raw: Socket, host: string, ca: string | undefined): Promise<Socket> {
  raw.write(TLS_REQUEST);
  const answer = await happens<Buffer>(raw, 'data');
  // One byte and nothing after it: plain text must never be read as encrypted data.
  if (answer.toString('latin1') !== TLS_ACCEPTED) {
    raw.destroy();
    throw new DatabaseUnavailable('the server does not offer TLS, which is required here');
  }
  const socket = openTls({
    socket: raw,
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    // Compared with the declared host, also where that is an IP address and no server name is sent.
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
  });
  await happens(socket, 'secureConnect');
  return socket;
}

/**
 * A connected socket to the database, encrypted and verified if the address requires it. We open it ourselves: the client library
 * has no verified TLS for IP addresses, leaves sockets without an error listener, and only half-closes them.
 * @param seen receives the socket while it is being opened, so that it can be cut.
 */
export async function openSocket(
  { host, port, tls }: DatabaseAddress,
  timeoutMs: number,
  seen: (socket: Socket) => void = () => {},
): Promise<Socket> {
  const raw = host.startsWith('/') ? openTcp(`${host}/.s.PGSQL.${port}`) : openTcp(port, host);
  seen(raw);
  raw.setNoDelay(true);
  const late = setTimeout(() => raw.destroy(new DatabaseUnavailable('the server does not answer')), timeoutMs);
  // The client handles the faults of a socket in use; after a cut, they are irrelevant.
  const ignore = (): void => {};
  raw.on('error', ignore);
  try {
    await happens(raw, 'connect');
    const socket = tls === null ? raw : await startTls(raw, host, tls.ca);
    if (socket !== raw) socket.on('error', ignore);
    return socket;
  } catch (error) {
    raw.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

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
