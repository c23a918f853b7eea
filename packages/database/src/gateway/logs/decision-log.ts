import type { Decision, Detection } from '@gateway/contract';
import type { Signer } from '@gateway/ledger';
import { storableDecision } from '../../chain/decision-entry.ts';
import type { DatabaseAddress } from '../../connect.ts';
import { DatabaseUnavailable, unavailable } from '../../unavailable.ts';
import { gather } from '../connection/gather.ts';
import { createDecisionWriter, isEntryFault, type Recordable } from './decision-writer.ts';

export interface DecisionLogOptions {
  readonly address: DatabaseAddress;
  /** Seals every batch. */
  readonly signer: Signer;
  /** Milliseconds from `append` to its answer, where the call brings no deadline of its own. */
  readonly budgetMs: number;
  /** Most refusals kept in memory while the database does not take them. Default 10,000. */
  readonly capacity?: number;
  /** Told of an entry that the database refuses for what it holds: a fault of ours, never of the database's state. */
  readonly onRefusedEntry?: (decision: Decision, error: unknown) => void;
  /** Told, in a sentence for the operator, of a log that does not hold what was written: a restored backup, a standby that lacks the last. */
  readonly onForeignEnd?: (sentence: string) => void;
}

export interface DecisionLog {
  /**
   * Resolves once the entry is committed and flushed: only then may anything go upstream (decisions §7).
   * @param deadline on the clock of `performance.now()`.
   * @param detections what was found in the request: committed with the entry.
   * @throws DatabaseUnavailable when it is not known to be committed in time. It may still be later; the relay never happens.
   */
  append(
    decision: Decision,
    deadline?: number,
    detections?: readonly Detection[],
  ): Promise<{ readonly sequence: bigint }>;
  /**
   * Takes a refusal, which may be written after its answer left. It is tried until the database takes it.
   * @returns false when too many wait already: then the caller answers that it could not be recorded.
   */
  appendLater(decision: Decision, detections?: readonly Detection[]): boolean;
  /** Waits until everything taken is written, at most so long. @returns how many entries are not. */
  drain(milliseconds: number): Promise<number>;
  close(): void;
}

interface Entry extends Recordable {
  /** Of an `append`; null: tried for ever. */
  readonly deadline: number | null;
  /** An attempt to write it ended unknown: it may be in the log. */
  suspect: boolean;
  readonly resolve: (sequence: bigint) => void;
  readonly reject: (error: unknown) => void;
}

/** Entries in one transaction. */
const LIMIT = 512;
const RETRY_FIRST_MS = 50;
const RETRY_MOST_MS = 2000;

/**
 * The decision log's one lane: while a batch is being committed the next one collects, so that the flush to disk, the seal
 * and the round trip are shared (group commit). It leaves, like a batch of every lane, when `gather` says so. Several
 * processes on one database make one chain without a gap.
 *
 * Faults. Server stopped: `append` is refused at once, refusals wait and are retried. Frozen, table locked, slower than the
 * budget: refused at the deadline and the connection destroyed; what the server still commits afterwards is found by its id
 * and not written twice. A reply cut at any byte: the same. Read-only after a fail-over: refused until a writable server answers.
 */
export function createDecisionLog(options: DecisionLogOptions): DecisionLog {
  const { budgetMs, capacity = 10_000, onRefusedEntry = () => {} } = options;
  const writer = createDecisionWriter(options);
  let waiting: Entry[] = [];
  let inFlight = 0;
  let later = 0;
  let underWay = false;
  let closed = false;
  let retryMs = RETRY_FIRST_MS;
  let retry: NodeJS.Timeout | undefined;
  /** After the server refused a batch for what it holds: one entry at a time, to find which. */
  let oneByOne = 0;
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  function nextBatch(): Entry[] {
    if (closed) return [];
    const now = performance.now();
    const batch: Entry[] = [];
    const limit = oneByOne > 0 ? 1 : LIMIT;
    let taken = 0;
    while (taken < waiting.length && batch.length < limit) {
      const entry = waiting[taken] as Entry;
      taken += 1;
      if (entry.deadline === null || entry.deadline > now) batch.push(entry);
      else entry.reject(new DatabaseUnavailable('the decision could not be written within the budget'));
    }
    waiting = waiting.slice(taken);
    return batch;
  }

  function settled(entry: Entry): void {
    if (entry.deadline === null) later -= 1;
  }

  /** The server answered and refused the data. Alone, the entry is at fault; in a batch, each is tried by itself. */
  function refused(batch: readonly Entry[], error: unknown): void {
    const [entry] = batch;
    if (batch.length > 1 || !entry) {
      oneByOne = batch.length;
      waiting = [...batch, ...waiting];
      return;
    }
    settled(entry);
    onRefusedEntry(entry.decision, error);
    entry.reject(unavailable(error));
  }

  /** Nobody knows what became of the batch. Approvals are refused; refusals wait for the next attempt. */
  function lost(batch: readonly Entry[], error: unknown): void {
    const kept = batch.filter((entry) => entry.deadline === null);
    for (const entry of kept) entry.suspect = true;
    for (const entry of batch) if (entry.deadline !== null) entry.reject(unavailable(error));
    waiting = [...kept, ...waiting];
  }

  async function write(batch: readonly Entry[]): Promise<boolean> {
    const nearest = batch.reduce((least, { deadline }) => Math.min(least, deadline ?? Infinity), Infinity);
    const deadline = nearest === Infinity ? performance.now() + budgetMs : nearest;
    const suspects = batch.filter(({ suspect }) => suspect).map(({ decision }) => decision.id);
    try {
      const sequences = await writer.write(batch, suspects, deadline);
      for (const [index, entry] of batch.entries()) {
        settled(entry);
        entry.resolve(sequences[index] as bigint);
      }
      return true;
    } catch (error) {
      if (isEntryFault(error)) {
        refused(batch, error);
        return true;
      }
      lost(batch, error);
      return false;
    }
  }

  function collected(): Promise<Entry[]> {
    return new Promise((resolve) => {
      gather(
        () => waiting.length,
        () => resolve(nextBatch()),
      );
    });
  }

  async function work(): Promise<void> {
    for (let batch = await collected(); batch.length > 0; batch = await collected()) {
      inFlight = batch.length;
      oneByOne = Math.max(0, oneByOne - 1);
      const answered = await write(batch);
      inFlight = 0;
      if (answered) retryMs = RETRY_FIRST_MS;
      else if (waiting.every(({ deadline }) => deadline === null)) break;
    }
    underWay = false;
    if (waiting.length === 0) idle.resolve();
    else if (!closed) retryLater();
  }

  function retryLater(): void {
    retry = setTimeout(start, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MOST_MS);
  }

  function start(): void {
    clearTimeout(retry);
    retry = undefined;
    if (underWay || closed) return;
    underWay = true;
    work().catch(refuseWaiting);
  }

  function refuseWaiting(error: unknown): void {
    underWay = false;
    for (const entry of waiting.splice(0)) entry.reject(unavailable(error));
  }

  function take(entry: Entry): void {
    if (waiting.length === 0 && !underWay) idle = Promise.withResolvers<void>();
    waiting.push(entry);
    // A refusal does not hurry a database that is known to be away: it waits for the next attempt.
    if (entry.deadline !== null || retry === undefined) start();
  }

  return {
    append: (decision, deadline = performance.now() + budgetMs, detections = []) =>
      new Promise((resolve, reject) => {
        if (closed) {
          reject(new DatabaseUnavailable('the decision log is closed'));
          return;
        }
        const answer = (sequence: bigint): void => resolve({ sequence });
        take({ decision: storableDecision(decision), detections, deadline, suspect: false, resolve: answer, reject });
      }),
    appendLater(decision, detections = []) {
      if (closed || later >= capacity) return false;
      later += 1;
      const ignore = (): void => {};
      const entry = { decision: storableDecision(decision), detections, deadline: null, suspect: false };
      take({ ...entry, resolve: ignore, reject: ignore });
      return true;
    },
    async drain(milliseconds) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      });
      await Promise.race([idle.promise, late]);
      clearTimeout(timer);
      return waiting.length + inFlight;
    },
    close() {
      closed = true;
      clearTimeout(retry);
      writer.close();
      refuseWaiting('the decision log is closed');
    },
  };
}
