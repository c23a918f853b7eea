import type { Server, ServerResponse } from 'node:http';
import { refusal } from '@gateway/contract';
import { PackedSet, type Slotted } from '../process/packed-set.ts';
import { cut as cutAnswer, sayLastWords } from './linger.ts';

/** Milliseconds for complete answers to reach slow readers. */
const LEAVING = 1000;

/** Milliseconds for the last words of cut streams. */
const LAST_WORDS = 200;

/** Ends a server: no new connection, no further request on an open one; running answers end by themselves or at the deadline. */
export interface Draining {
  /** Called with every answer that begins. @returns whether the request is still accepted. */
  track(response: ServerResponse): boolean;
  /** Accepts nothing new, and waits for every answer to end, within a bound. */
  drain(milliseconds: number): Promise<void>;
  /** Ends every connection; answers that are written whole leave first. @returns how many answers were cut. */
  cut(): Promise<number>;
}

interface RunningAnswer extends Slotted {
  readonly response: ServerResponse;
}

export function createDraining(server: Server): Draining {
  const running = new PackedSet<RunningAnswer>();
  let draining = false;
  let ended = (): void => {};
  /** Resolves once no such answer is left, at the latest after the given milliseconds. */
  const none = (such: (response: ServerResponse) => boolean, milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      ended = () => {
        if (running.all().some(({ response }) => such(response))) return;
        clearTimeout(timer);
        resolve();
      };
      ended();
    });
  return {
    track(response) {
      // A connection that stays open would send its next request to a process that is about to end.
      if (draining) response.shouldKeepAlive = false;
      const answer: RunningAnswer = { response, slot: -1 };
      running.add(answer);
      response.on('close', () => {
        running.delete(answer);
        ended();
      });
      return !draining;
    },
    async drain(milliseconds) {
      draining = true;
      server.close();
      server.closeIdleConnections();
      for (const { response } of running.all()) response.shouldKeepAlive = false;
      await none(() => true, milliseconds);
    },
    async cut() {
      await none(({ writableEnded }) => writableEnded, LEAVING);
      const cut = running.size;
      const leaving = new Set<ServerResponse>();
      for (const { response } of running.all()) {
        if (!sayLastWords(response, refusal('ending'))) continue;
        cutAnswer(response);
        leaving.add(response);
      }
      await none((response) => leaving.has(response), LAST_WORDS);
      server.closeAllConnections();
      return cut;
    },
  };
}
