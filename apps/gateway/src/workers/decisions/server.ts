import type { Socket } from 'node:net';
import type { DecisionLog } from '@gateway/database/gateway';
import type { TakeLine } from '../hub.ts';
import { writeJsonLine } from '../json-lines.ts';
import type { DecisionsMessage, DecisionsReply } from './messages.ts';

type Reply = {
  -readonly [Name in keyof DecisionsReply]: DecisionsReply[Name] extends readonly (infer One)[]
    ? One[]
    : DecisionsReply[Name];
};

const emptyReply = (): Reply => ({ recorded: [], failed: [], settled: 0, batches: [] });

/** The decision log of the main process, for its workers. */
export interface DecisionServer {
  /** Serves one worker until its connection ends. */
  serve(socket: Socket): TakeLine;
  /** So many entries shared a transaction: one of the workers counts it in its metrics. */
  batch(size: number): void;
}

export function createDecisionServer(log: Pick<DecisionLog, 'record' | 'appendLater'>): DecisionServer {
  let batches: number[] = [];

  return {
    batch(size) {
      batches.push(size);
    },
    serve(socket) {
      let reply = emptyReply();
      let replying = false;
      const send = (): void => {
        const message: DecisionsReply = { ...reply, batches };
        reply = emptyReply();
        batches = [];
        replying = false;
        writeJsonLine(socket, message);
      };
      const replySoon = (): void => {
        if (replying) return;
        replying = true;
        // Runs when all entries of a transaction are settled: they share a message.
        process.nextTick(send);
      };
      return (value) => {
        const { now, later } = value as DecisionsMessage;
        const time = performance.now();
        for (const [number, milliseconds, decision, detections] of now) {
          log.record(decision, time + milliseconds, detections, (error) => {
            if (error === null) reply.recorded.push(number);
            else reply.failed.push([number, error.message]);
            replySoon();
          });
        }
        for (const [decision, detections] of later) {
          const taken = log.appendLater(decision, detections, () => {
            reply.settled += 1;
            replySoon();
          });
          if (taken) continue; // not taken only where the log is closed: workers share its capacity between them
          reply.settled += 1;
          replySoon();
        }
      };
    },
  };
}
