import type { ServerResponse } from 'node:http';
import type { HttpServer } from './create-server.ts';

/** Ends a server: no new connection, no further request on a kept one, running answers to their end or the deadline. */
export interface Draining {
  /** Told of every answer that begins. @returns whether the request is still taken. */
  track(response: ServerResponse): boolean;
  /** @returns how many answers were cut at the deadline. */
  drain(milliseconds: number): Promise<number>;
}

export function createDraining({ server, http2 }: HttpServer): Draining {
  const running = new Set<ServerResponse>();
  let draining = false;
  let settled: (() => void) | null = null;
  return {
    track(response) {
      // A connection that stays open would bring the next request to a process that is about to end.
      if (draining) response.shouldKeepAlive = false;
      running.add(response);
      response.once('close', () => {
        running.delete(response);
        if (running.size === 0) settled?.();
      });
      return !draining;
    },
    async drain(milliseconds) {
      draining = true;
      server.close();
      server.closeIdleConnections();
      http2?.close();
      for (const response of running) response.shouldKeepAlive = false;
      if (running.size > 0) await oneOf(milliseconds, (resolve) => (settled = resolve));
      const cut = running.size;
      server.closeAllConnections();
      http2?.destroy();
      return cut;
    },
  };
}

function oneOf(milliseconds: number, settle: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    settle(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
