import type { IncomingMessage, ServerResponse } from 'node:http';
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
  const { socket } = request;
  if (response.socket !== null) {
    begin(socket, response);
    serve();
    return;
  }
  count(socket, 1);
  // Node.js gives the response its connection when the one before it has ended, and never where the connection is gone by then.
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
