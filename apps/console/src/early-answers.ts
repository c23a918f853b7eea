import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Milliseconds during which a caller may still send the rest of its body before the answer. */
const LINGER = 2000;

/** Requests whose body was not asked for. */
const unasked = new WeakSet<IncomingMessage>();

/**
 * Reads and discards the rest of a body before an answer leaves early (a refusal of a body too large, for example). If the
 * connection closed while the caller still writes, the caller would read a reset instead of the answer.
 */
export async function bodyArrived(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed || unasked.has(request)) return;
  const arrived = Promise.withResolvers<void>();
  const timer = setTimeout(arrived.resolve, LINGER);
  for (const event of ['end', 'close']) request.once(event, arrived.resolve);
  request.removeAllListeners('data'); // the former reader would pause at each part
  request.resume();
  await arrived.promise;
  clearTimeout(timer);
}

/**
 * Sends `100 Continue` when the body is first read, which is after authentication and authorization; Node.js sends it at once.
 * If it was not sent, a body may still follow, so no other request can use this connection.
 */
export function askForBodiesWhenRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    unasked.add(request);
    request.once('resume', () => {
      unasked.delete(request);
      if (!response.headersSent) response.writeContinue();
    });
    server.emit('request', request, response);
  });
}
