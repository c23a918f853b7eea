import type { ServerResponse } from 'node:http';
import type { HttpServer } from './create-server.ts';

/** Milliseconds that answers which are written whole get to leave, however slowly they are read. */
const LEAVING = 1000;

/** Ends a server: no new connection, no further request on a kept one, running answers to their end or the deadline. */
export interface Draining {
  /** Called with every answer that begins. @returns whether the request is still taken. */
  track(response: ServerResponse): boolean;
  /** Takes nothing new, and waits until every answer has ended, at most so long. */
  drain(milliseconds: number): Promise<void>;
  /** Ends every connection; answers that are written whole leave first. @returns how many answers were cut. */
  cut(): Promise<number>;
}

export function createDraining({ server, http2 }: HttpServer): Draining {
  const running = new Set<ServerResponse>();
  let draining = false;
  let ended = (): void => {};
  /** Resolves once no such answer is there any more, at the latest after so many milliseconds. */
  const none = (such: (response: ServerResponse) => boolean, milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      ended = () => {
        if ([...running].some(such)) return;
        clearTimeout(timer);
        resolve();
      };
      ended();
    });
  return {
    track(response) {
      // A connection that stays open would bring the next request to a process that is about to end.
      if (draining) response.shouldKeepAlive = false;
      running.add(response);
      response.on('close', () => {
        running.delete(response);
        ended();
      });
      return !draining;
    },
    async drain(milliseconds) {
      draining = true;
      server.close();
      server.closeIdleConnections();
      http2?.close();
      for (const response of running) response.shouldKeepAlive = false;
      await none(() => true, milliseconds);
    },
    async cut() {
      await none(({ writableEnded }) => writableEnded, LEAVING);
      const cut = running.size;
      server.closeAllConnections();
      http2?.destroy();
      return cut;
    },
  };
}
