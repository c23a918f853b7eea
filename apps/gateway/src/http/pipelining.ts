import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests that may wait on one connection. Node.js does not stop reading, so more of them end the connection. */
const MOST_WAITING = 256;

const waiting = new WeakMap<Socket, number>();

/**
 * Serves the requests of one connection one after the other, even if a caller pipelines them (RFC 9112 section 9.3.2). Node.js
 * emits all of them at once: aborting one answer would also cut the previous one, and a caller who leaves would not end the
 * queued ones.
 */
export function serveInTurn(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
  const { socket } = request;
  if (response.socket !== null) {
    begin(socket, response);
    serve();
    return;
  }
  count(socket, 1);
  // Node.js assigns the connection to the response after the previous one ended, and never if the connection has closed by then.
  response.once('socket', () => {
    count(socket, -1);
    begin(socket, response);
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

const current = new WeakMap<Duplex, ServerResponse>();

function begin(socket: Duplex, response: ServerResponse): void {
  current.set(socket, response);
  response.once('close', () => {
    if (current.get(socket) === response) current.delete(socket);
  });
}

/** The answer that is being written on a connection. */
export function answerOn(socket: Duplex): ServerResponse | null {
  return current.get(socket) ?? null;
}

const unreadable = new WeakSet<Duplex>();

/** Refuses unreadable input on a connection, once: after the answers to the complete requests before it. */
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
