import type { IncomingMessage } from 'node:http';

/** How long, and for how many bytes, the rest of a body is still taken after an early answer. */
const LINGER = { milliseconds: 10_000, bytes: 16 * 1024 * 1024 };

/**
 * An answer that leaves before the body has arrived (a refusal) would be lost to many clients if the connection closed
 * at once, while they still write; a body read on without bound would be a gift to whoever sends it. So it is read and
 * thrown away for a while, then the connection is cut.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  const cut = (): void => {
    request.socket.destroy();
  };
  const timer = setTimeout(cut, LINGER.milliseconds);
  request.removeAllListeners('data'); // whoever held the body until now would go on holding it
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER.bytes) cut();
  });
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => clearTimeout(timer));
  request.resume();
}
