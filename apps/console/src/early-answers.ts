import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Milliseconds during which a caller may still send the rest of its body after the answer. */
const LINGER = 2000;

/**
 * Delivers an answer to a caller that still sends its body (a refusal of a body too large, for example) and asked to close the
 * connection. Node.js closes both directions (`destroySoon`), and the caller reads a reset. Here only the answer's direction
 * closes, until the body has arrived or time is up.
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
 * Sends `100 Continue` when the body is first read, which is after authentication and authorization; Node.js sends it at once.
 * If it was not sent, a body may still follow, so no other request can use this connection.
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
