import type { Socket } from 'node:net';
import { DatabaseUnavailable } from '@gateway/database';
import type { DecisionLogPort } from '../../store/records.ts';
import { readJsonLines, writeJsonLine } from '../json-lines.ts';
import type { DecisionsMessage, DecisionsReply } from './messages.ts';

export interface RemoteDecisionsOptions {
  /** To the process that appends. */
  readonly socket: Socket;
  /** Refusals of this worker that may wait there. */
  readonly capacity: number;
  readonly onBatch: (size: number) => void;
}

interface Pending {
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Milliseconds between two looks for decisions whose deadline has passed. */
const LOOK = 100;

/**
 * The decision log in a worker: the main process appends for all workers, so that one chain has one writer. Decisions of one turn
 * of the event loop are sent together. The main process enforces the deadline itself; the check here covers one that hangs.
 */
export function createRemoteDecisions({ socket, capacity, onBatch }: RemoteDecisionsOptions): DecisionLogPort {
  const pending = new Map<number, Pending>();
  let now: DecisionsMessage['now'][number][] = [];
  let later: DecisionsMessage['later'][number][] = [];
  let number = 0;
  let unsettled = 0;
  let closed = false;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  function settle(which: number, error: Error | null): void {
    const one = pending.get(which);
    pending.delete(which);
    if (error === null) one?.resolve();
    else one?.reject(error);
  }

  function restIfIdle(): void {
    if (pending.size === 0 && unsettled === 0) idle.resolve();
  }

  readJsonLines(socket, (value) => {
    const { recorded, failed, settled, batches } = value as DecisionsReply;
    unsettled -= settled;
    for (const size of batches) onBatch(size);
    for (const which of recorded) settle(which, null);
    for (const [which, reason] of failed) settle(which, new DatabaseUnavailable(reason));
    restIfIdle();
  });

  function fail(): void {
    closed = true;
    for (const which of pending.keys())
      settle(which, new DatabaseUnavailable('the process that appends to the decision log has ended'));
    unsettled = 0;
    idle.resolve();
  }
  socket.on('error', () => {}).on('close', fail); // the main process has ended: this one ends, too

  const look = setInterval(() => {
    const time = performance.now();
    for (const [which, { deadline }] of pending)
      if (deadline <= time)
        settle(which, new DatabaseUnavailable('the decision could not be written within the budget'));
    restIfIdle();
  }, LOOK);
  look.unref();

  function send(): void {
    const message: DecisionsMessage = { now, later };
    now = [];
    later = [];
    writeJsonLine(socket, message);
  }

  function sendSoon(): void {
    if (now.length + later.length === 0) setImmediate(send);
  }

  function begin(): void {
    if (pending.size === 0 && unsettled === 0) idle = Promise.withResolvers<void>();
  }

  return {
    async append(decision, deadline, detections = []) {
      if (closed) throw new DatabaseUnavailable('the decision log is closed');
      begin();
      sendSoon();
      number += 1;
      now.push([number, Math.round(deadline - performance.now()), decision, detections]);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      pending.set(number, { deadline, resolve, reject });
      await promise;
    },
    appendLater(decision, detections = []) {
      if (closed || unsettled >= capacity) return false;
      begin();
      sendSoon();
      unsettled += 1;
      later.push([decision, detections]);
      return true;
    },
    async drain(milliseconds) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      });
      await Promise.race([idle.promise, late]);
      clearTimeout(timer);
      return pending.size + unsettled;
    },
    close() {
      closed = true;
      clearInterval(look);
      socket.destroy();
    },
  };
}
