import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Time and bytes for which the rest of a body is read after an early answer. */
const LINGER = { milliseconds: 10_000, bytes: 16 * 1024 * 1024 };

const discarded = new WeakSet<IncomingMessage>();
const discarding = new WeakSet<Duplex>();

/** Whether the rest of a body is being discarded on a connection. */
export function isDiscarding(socket: Duplex): boolean {
  return discarding.has(socket);
}

/**
 * Many clients lose an early answer (a refusal) if the connection closes while they still write. So the rest of the body is read
 * and discarded for a limited time; then the connection is cut. A caller who wants the connection closed gets the end of the
 * answer at once, and the same time for its body.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed || discarded.has(request)) return;
  discarded.add(request);
  const { socket } = request;
  discarding.add(socket);
  let bytes = 0;
  const cut = (): void => {
    socket.destroy();
  };
  const timer = setTimeout(cut, LINGER.milliseconds);
  request.removeAllListeners('data'); // the former reader would continue to store the body
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER.bytes) cut();
  });
  const over = (): void => {
    clearTimeout(timer);
    discarding.delete(socket);
  };
  request.once('close', over);
  request.once('end', over);
  endAfter(request);
  request.resume();
}

/**
 * After the answer on a closing connection, Node.js calls the socket's public method `destroySoon`, which closes both directions.
 * Until the body has ended, this replacement closes only the answer's direction.
 */
function endAfter(request: IncomingMessage): void {
  const { socket } = request;
  let answered = false;
  const endOnly = (): void => {
    answered = true;
    socket.end();
  };
  socket.destroySoon = endOnly;
  const over = (): void => {
    if (socket.destroySoon !== endOnly) return;
    Reflect.deleteProperty(socket, 'destroySoon'); // the connection may be reused for other requests
    if (answered) socket.destroySoon();
  };
  request.once('end', over);
  request.once('close', over);
}
