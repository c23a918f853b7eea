import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { buildConnector } from 'undici';

export type Connector = ReturnType<typeof buildConnector>;

/** Errors of connections that were never made. */
const UNCONNECTED = new WeakSet<Error>();

/** Whether a connection was never made: its name, TCP, a proxy or TLS failed, or it took too long. */
export const isUnconnected = (error: Error): boolean => UNCONNECTED.has(error);

/** Opens connections to a provider, or to the proxy before it. @param secureContext of TLS connections; null where it is plain. */
export function connectDirectly(secureContext: SecureContext | null): Connector {
  const tls = secureContext === null ? {} : { secureContext, rejectUnauthorized: true };
  return reportingResets(buildConnector({ allowH2: false, ...tls }));
}

/**
 * Undici accepts an answer that ends with its connection as complete even after a reset, which it recognizes by the error's code.
 * With another code, the answer counts as broken.
 */
export function reportingResets(connector: Connector): Connector {
  return (options, callback) => {
    connector(options, (...outcome) => {
      outcome[1]?.prependListener('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET';
      });
      // Undici calls back with the error alone where no connection was made.
      if (outcome[1]) ignoreContinue(outcome[1]);
      else if (outcome[0]) UNCONNECTED.add(outcome[0]);
      callback(...outcome);
    });
  };
}

/** Gives a connection up that is not made in time, whatever it waits for: its name, TCP, a proxy or TLS. */
export function connectingWithin(milliseconds: number, connector: Connector): Connector {
  return (options, callback) => {
    const error = Object.assign(new Error(`no connection within ${milliseconds / 1000} seconds`), {
      code: 'ETIMEDOUT',
    });
    UNCONNECTED.add(error);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      callback(error, null);
    }, milliseconds);
    connector(options, (...outcome) => {
      clearTimeout(timer);
      if (!isLate) callback(...outcome);
      else outcome[1]?.on('error', () => {}).destroy();
    });
  };
}

/** Bytes of an interim answer's head. A longer one is left to the parser, which refuses it. */
const MOST_HEAD = 64 * 1024;
const BEGINNING = 'HTTP/1.1 1';
const INTERIM = /^HTTP\/1\.[01] 1(\d\d)[ \r]/;
const END = '\r\n\r\n';

/** Interim answers that are removed before one answer. Undici refuses the next one. */
const MOST_REMOVED = 32;

/** The incomplete head read so far, and how many interim answers were removed before it. */
interface Due {
  readonly head: Buffer;
  readonly removed: number;
}

/** Sockets that expect the head of an answer. */
const waiting = new WeakMap<Socket, Due>();

interface RequestSent {
  readonly socket: Socket;
}

const NOTHING = Buffer.alloc(0);
const FIRST: Due = { head: NOTHING, removed: 0 };
const filtered = new WeakSet<Socket>();

/** Undici publishes on this channel before a request is sent, so before the first byte of its answer. */
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as RequestSent;
  if (filtered.has(socket)) waiting.set(socket, FIRST);
});

/**
 * Removes an unrequested `100 Continue`: undici would abort the connection, where RFC 9110 section 15.2 lets a client ignore it.
 * Only where the head of an answer is expected, so that a similar body stays unchanged.
 */
function ignoreContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  filtered.add(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk)) return chunk;
    const held = waiting.get(socket);
    if (held === undefined) return chunk;
    return passOn(socket, held.head.length === 0 ? chunk : Buffer.concat([held.head, chunk]), held.removed);
  };
}

/** What the parser may see of bytes where a head is due; null where it has to wait for more of them. */
function passOn(socket: Socket, bytes: Buffer, removedBefore: number): Buffer | null {
  const passed: Buffer[] = [];
  let removed = removedBefore;
  let rest = bytes;
  for (;;) {
    const begun = rest.toString('latin1', 0, BEGINNING.length + 3);
    const isShort = rest.length < BEGINNING.length + 3 && isBeginning(begun);
    const interim = INTERIM.exec(begun)?.[1];
    const end = interim === undefined ? -1 : rest.indexOf(END);
    const isCut = interim !== undefined && end < 0 && rest.length <= MOST_HEAD;
    if (isShort || isCut) {
      waiting.set(socket, { head: rest, removed });
      break;
    }
    if (interim === undefined || interim === '01' || end < 0 || removed === MOST_REMOVED) {
      waiting.delete(socket);
      passed.push(rest);
      break;
    }
    const next = end + END.length;
    if (interim === '00') removed += 1;
    else passed.push(rest.subarray(0, next));
    rest = rest.subarray(next);
    if (rest.length === 0) {
      waiting.set(socket, { head: NOTHING, removed });
      break;
    }
  }
  if (passed.length === 0) return null;
  return passed.length === 1 ? (passed[0] as Buffer) : Buffer.concat(passed);
}

/** Whether these few bytes may become the beginning of an interim answer. */
function isBeginning(text: string): boolean {
  const known = text.slice(0, BEGINNING.length);
  return BEGINNING.startsWith(known) || BEGINNING.replace('1.1', '1.0').startsWith(known);
}
