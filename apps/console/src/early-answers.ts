import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Milliseconds in which a caller may still send what it was about to send when it was answered. */
const LINGER = 2000;

/**
 * Lets an answer reach a caller that still sends its body (a refusal of a body too large, say) and wants the connection closed
 * afterwards. Node.js then closes both directions (`destroySoon`), and the caller reads a reset instead of its answer: here the
 * direction of the answer alone is closed, until the body has come or time is up.
 */
export function letBodiesEnd(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    const { socket } = request;
    const close = (): void => {
      Reflect.deleteProperty(socket, 'destroySoon');
      socket.destroySoon();
    };
    socket.destroySoon = () => {
      if (request.complete || request.destroyed) return close();
      socket.destroySoon = close;
      socket.end();
      const timer = setTimeout(close, LINGER);
      request.once('end', close);
      socket.once('close', () => clearTimeout(timer));
    };
  });
}

/**
 * Asks a caller who waits for it (`Expect: 100-continue`) for its body when somebody begins to read it, which is after the caller's proof
 * and right were looked at. Node.js asks at once. Whether a body still comes that nobody asked for is not known, so that no other
 * request can follow on this connection.
 */
export function askForBodiesWhenRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue();
    });
    server.emit('request', request, response);
  });
}
