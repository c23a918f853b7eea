import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests that may wait on one connection: as many as HTTP/2 has streams. Node.js goes on reading, so more of them end it. */
const MOST_WAITING = 256;

const waiting = new WeakMap<Socket, number>();

/**
 * Serves the requests of one connection one after the other, also where a caller sends the next before it has its answer
 * (RFC 9112 section 9.3.2). Node.js hands them out all at once: an answer that has to be broken off would take the connection from
 * under the one before it, and a caller who leaves would leave those behind whose turn had not come.
 */
export function serveInTurn(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
  if (response.socket !== null) {
    serve();
    return;
  }
  const { socket } = request;
  count(socket, 1);
  // Node.js gives the response its connection when the one before it has ended, and never where the connection is gone by then.
  response.once('socket', () => {
    count(socket, -1);
    process.nextTick(() => {
      if (!response.destroyed) serve();
    });
  });
}

function count(socket: Socket, change: 1 | -1): void {
  const now = (waiting.get(socket) ?? 0) + change;
  waiting.set(socket, now);
  if (now > MOST_WAITING) socket.destroy();
}

/** The answer whose turn it is on a connection. */
export function answerOn(socket: Duplex): ServerResponse | null {
  const current: unknown = '_httpMessage' in socket ? socket._httpMessage : null;
  return current instanceof ServerResponse ? current : null;
}

const unreadable = new WeakSet<Duplex>();

/** Refuses what could not be read on a connection, once: after the answers to the requests that came whole before it. */
export function afterAnswers(socket: Duplex, refuse: () => void): void {
  if (unreadable.has(socket)) return;
  unreadable.add(socket);
  const next = (): void => {
    const answer = answerOn(socket);
    if (answer?.req.complete === true) answer.once('close', next);
    else refuse();
  };
  next();
}
