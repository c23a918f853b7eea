import type { ServerResponse } from 'node:http';
import type { Refusal } from '@gateway/contract';

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
