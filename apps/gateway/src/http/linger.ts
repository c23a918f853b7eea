import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refusal } from '@gateway/contract';

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
 * and discarded for a limited time; then the connection is cut.
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
    if (socket.writableEnded) socket.end(cut); // once the answer has left
  };
  request.once('close', over);
  request.once('end', over);
  request.resume();
}

/**
 * Writes the rest of an answer, whose head has its length, and ends it. Node.js closes both directions of a connection that is
 * not kept once its answer has ended. While the body is still arriving, only the answer's direction is closed.
 */
export function endAnswer(response: ServerResponse, rest: Buffer): void {
  const { socket } = response;
  if (response.shouldKeepAlive || socket === null || !discarding.has(socket)) {
    response.end(rest);
    return;
  }
  response.write(rest);
  socket.end();
}

/** Milliseconds for the last words of an answer to reach a slow reader. */
const LEAVING = 1000;

/** What a running answer of events says before it is cut, by its response. */
const SAYINGS = new WeakMap<ServerResponse, (refused: Refusal) => void>();

/** @param say writes the refusal in the answer's own form. */
export function onCut(response: ServerResponse, say: (refused: Refusal) => void): void {
  SAYINGS.set(response, say);
}

/** Says why an answer ends here, where it can. @returns whether it did. */
export function sayLastWords(response: ServerResponse, refused: Refusal): boolean {
  const say = SAYINGS.get(response);
  if (say === undefined || response.destroyed || response.writableEnded) return false;
  SAYINGS.delete(response);
  say(refused);
  return true;
}

/**
 * Aborts the connection so that the caller cannot accept the partial answer as complete. Where the end of the connection ends the
 * body (HTTP/1.0), only a reset shows the failure. Data already written still leaves.
 */
export function cut(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null || response.destroyed) return;
  const end = (): void => {
    if (response.req.httpVersion === '1.0') socket.resetAndDestroy();
    else response.destroy();
  };
  if (socket.writableLength === 0) end();
  else socket.write('', end);
}

/** Ends a running answer that may not go on: as unfinished, after its last words. */
export function cutSaying(response: ServerResponse, refused: Refusal): void {
  const isSaid = sayLastWords(response, refused);
  if (isSaid) {
    cut(response);
    setTimeout(() => response.destroy(), LEAVING).unref();
  } else if (response.req.httpVersion === '1.0') response.socket?.resetAndDestroy();
  else response.destroy();
}
