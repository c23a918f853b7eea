import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Bytes of an interim answer's head. A longer one is left to the parser, which refuses it. */
const MOST_HEAD = 64 * 1024;
const BEGINNING = 'HTTP/1.1 1';
const INTERIM = /^HTTP\/1\.[01] 1(\d\d)[ \r]/;
const END = '\r\n\r\n';

/** Sockets that expect the head of an answer, and the incomplete head read so far. */
const waiting = new WeakMap<Socket, Buffer>();

interface RequestSent {
  readonly socket: Socket;
}

const NOTHING = Buffer.alloc(0);
const filtered = new WeakSet<Socket>();

/** Undici publishes on this channel before a request is sent, so before the first byte of its answer. */
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as RequestSent;
  if (filtered.has(socket)) waiting.set(socket, NOTHING);
});

/**
 * Removes an unrequested `100 Continue`: undici would abort the connection, where RFC 9110 section 15.2 lets a client ignore it.
 * Only where the head of an answer is expected, so that a similar body stays unchanged.
 */
export function ignoreContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  filtered.add(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk)) return chunk;
    const held = waiting.get(socket);
    return held === undefined ? chunk : passOn(socket, held.length === 0 ? chunk : Buffer.concat([held, chunk]));
  };
}

/** What the parser may see of bytes where a head is due; null where it has to wait for more of them. */
function passOn(socket: Socket, bytes: Buffer): Buffer | null {
  const passed: Buffer[] = [];
  let rest = bytes;
  for (;;) {
    const begun = rest.toString('latin1', 0, BEGINNING.length + 3);
    const isShort = rest.length < BEGINNING.length + 3 && isBeginning(begun);
    const interim = INTERIM.exec(begun)?.[1];
    const end = interim === undefined ? -1 : rest.indexOf(END);
    const isCut = interim !== undefined && end < 0 && rest.length <= MOST_HEAD;
    if (isShort || isCut) {
      waiting.set(socket, rest);
      break;
    }
    if (interim === undefined || interim === '01' || end < 0) {
      waiting.delete(socket);
      passed.push(rest);
      break;
    }
    const next = end + END.length;
    if (interim !== '00') passed.push(rest.subarray(0, next));
    rest = rest.subarray(next);
    if (rest.length === 0) {
      waiting.set(socket, NOTHING);
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
