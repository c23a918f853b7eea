import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long, and for how many bytes, the rest of a body is still taken after an early answer. */
const LINGER = { milliseconds: 10_000, bytes: 16 * 1024 * 1024 };

const discarded = new WeakSet<IncomingMessage>();
const discarding = new WeakSet<Duplex>();

/** Whether the rest of a body is being thrown away on a connection. */
export function isDiscarding(socket: Duplex): boolean {
  return discarding.has(socket);
}

/**
 * An answer that leaves before the body has arrived (a refusal) would be lost to many clients if the connection closed
 * at once, while they still write; a body read on without bound would be a gift to anybody who sends it. So it is read and
 * thrown away for a while, then the connection is cut. A caller who wants the connection closed after the answer is told
 * at once that no more comes, and gets the same while for its body.
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
  request.removeAllListeners('data'); // anybody who held the body until now would go on holding it
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
 * After the answer on a connection that is not kept, Node.js calls the public method `destroySoon` of the socket, which closes both
 * directions. Until the body has ended, the method closes the direction of the answer only.
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
    Reflect.deleteProperty(socket, 'destroySoon'); // the connection may be kept, and serve others
    if (answered) socket.destroySoon();
  };
  request.once('end', over);
  request.once('close', over);
}
