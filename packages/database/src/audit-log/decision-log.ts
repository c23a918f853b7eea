import type { Decision, Detection } from '@gateway/contract';
import type { Signer } from '@gateway/ledger';
import { createBatchWindow } from '../client/batcher.ts';
import type { DatabaseAddress } from '../client/connect.ts';
import { ConnectionLost, DatabaseUnavailable, MOST_ATTEMPTS, unavailable } from '../client/unavailable.ts';
import { createDecisionWriter, isEntryFault, type Recordable } from './decision-writer.ts';
import type { SeenEndStore } from './earlier-state.ts';
import { storableDecision } from './entries.ts';

export interface DecisionLogOptions {
  readonly address: DatabaseAddress;
  /** Seals every batch. */
  readonly signer: Signer;
  /** Milliseconds from `append` to its answer, for calls without their own deadline. */
  readonly budgetMs: number;
  /** Maximum number of refusals in memory while the database does not accept them. Default 10,000. */
  readonly capacity?: number;
  /** Called after each batch. */
  readonly onOutcome?: (error: Error | null) => void;
  /** Called with an entry that the database refuses because of its content: a fault of ours, not of the database's state. */
  readonly onRefusedEntry?: (decision: Decision, error: unknown) => void;
  /**
   * Called, with a sentence for the operator, for a log without the last written entries: a restored backup, or a standby that
   * lacks them. The log has an entry about it, which precedes the next ones.
   */
  readonly onForeignEnd?: (sentence: string) => void;
  /** Where the last entry is kept for the next start of the service; absent: it is known while the process runs. */
  readonly seenEnd?: SeenEndStore;
  /** Sees how many entries share each transaction. */
  readonly onBatch?: (size: number) => void;
}

export interface DecisionLog {
  /**
   * Resolves once the entry is committed and flushed: only then may anything go upstream (log-2).
   * @param deadline on the clock of `performance.now()`.
   * @param detections in the request: committed with the entry.
   * @throws DatabaseUnavailable when the commit is not confirmed in time. It may still happen; the relay never does.
   */
  append(
    decision: Decision,
    deadline?: number,
    detections?: readonly Detection[],
  ): Promise<{ readonly sequence: bigint }>;
  /** The same without a promise, for the relayed call. @param recorded is called once */
  record(
    decision: Decision,
    deadline: number,
    detections: readonly Detection[],
    recorded: (error: Error | null, sequence: bigint) => void,
  ): void;
  /**
   * Queues a refusal, which may be written after its answer was sent. It is retried until the database accepts it. Refusals of
   * callers without a proof have a limited share: beyond it, those of one kind become one entry with their number.
   * @param settled runs once it has left the memory for waiting refusals: it is written, or counted within that share.
   * @returns false when the queue is full: then the caller answers that it could not be recorded.
   */
  appendLater(decision: Decision, detections?: readonly Detection[], settled?: () => void): boolean;
  /** Waits until all entries are written, within a bound. @returns how many entries are not. */
  drain(milliseconds: number): Promise<number>;
  close(): void;
}

interface Entry extends Recordable {
  /** Of an `append`; null: tried for ever. */
  readonly deadline: number | null;
  attempts: number;
  readonly recorded: (error: Error | null, sequence: bigint) => void;
}

const NOBODY = (): void => {};

/** Entries in one transaction; refusals among them; refusals of callers without a proof among those. */
const LIMIT = 512;
const REFUSALS = 128;
const ANONYMOUS = 32;
/** Time that another attempt of an approval needs. */
const LEAST_MS = 100;
const RETRY_FIRST_MS = 50;
const RETRY_MOST_MS = 2000;

/**
 * The writer of the decision log: while one batch is being committed the next one collects, so that flush, seal and round trip
 * are shared (group commit). Approvals come first: a call waits for at most one batch of refusals. Several processes on one
 * database make one chain without a gap.
 *
 * Faults. Server stopped, or read-only after a fail-over: `append` waits for a writable server until its deadline; after two budgets
 * it is refused at once. Refusals wait and are retried. Frozen, table locked, slower than the budget: refused at the deadline and
 * the connection destroyed; an entry that is still committed later is found by its id and not written twice. A reply cut at any
 * byte: an entry with time left is looked for by its id on a new connection, and written where it is absent.
 */
export function createDecisionLog(options: DecisionLogOptions): DecisionLog {
  const { budgetMs, capacity = 10_000, onOutcome = () => {}, onRefusedEntry = () => {} } = options;
  const writer = createDecisionWriter(options);
  const anonymous = new AnonymousRefusals(performance.now());
  let approvals: Entry[] = [];
  let refusals: Entry[] = [];
  let inFlight = 0;
  let later = 0;
  let underWay = false;
  let closed = false;
  let retryMs = RETRY_FIRST_MS;
  let retry: NodeJS.Timeout | undefined;
  /** When refusals of callers without a proof may be written again. */
  let turn: NodeJS.Timeout | undefined;
  /** A batch that the server refused because of its content: retried one entry at a time, to find the faulty one. */
  let oneByOne: Entry[] = [];
  let idle = Promise.withResolvers<void>();
  idle.resolve();

  const waiting = (): number => oneByOne.length + approvals.length + refusals.length;

  /** The first entries of a list that are still in time, at most so many, and the rest of it. */
  function inTime(entries: readonly Entry[], most: number): { readonly taken: Entry[]; readonly rest: Entry[] } {
    const now = performance.now();
    const taken: Entry[] = [];
    let seen = 0;
    while (seen < entries.length && taken.length < most) {
      const entry = entries[seen] as Entry;
      seen += 1;
      if (entry.deadline === null || entry.deadline > now) taken.push(entry);
      else entry.recorded(new DatabaseUnavailable('the decision could not be written within the budget'), 0n);
    }
    return { taken, rest: seen === entries.length ? [] : entries.slice(seen) };
  }

  function nextAlone(): Entry[] {
    const { taken, rest } = inTime(closed ? [] : oneByOne, 1);
    oneByOne = rest;
    return taken;
  }

  function nextBatch(): Entry[] {
    if (closed) return [];
    const approved = inTime(approvals, LIMIT);
    approvals = approved.rest;
    if (refusals.length < ANONYMOUS)
      for (const one of anonymous.due(performance.now(), ANONYMOUS)) takeLater(one, [], NOBODY);
    const refused = refusals.splice(0, Math.min(REFUSALS, LIMIT - approved.taken.length));
    return refused.length === 0 ? approved.taken : [...approved.taken, ...refused];
  }

  function takeLater(decision: Decision, detections: readonly Detection[], recorded: () => void): void {
    later += 1;
    refusals.push({ decision, detections, deadline: null, attempts: 0, recorded });
  }

  function uncount(entry: Entry): void {
    if (entry.deadline === null) later -= 1;
  }

  /** The server answered and refused the data. Alone, the entry is at fault; in a batch, each is tried by itself. */
  function refused(batch: readonly Entry[], error: unknown): void {
    const [entry] = batch;
    if (batch.length > 1 || !entry) {
      oneByOne = [...batch];
      return;
    }
    uncount(entry);
    onRefusedEntry(entry.decision, error);
    entry.recorded(unavailable(error), 0n);
  }

  /**
   * The result of the batch is unknown. Refusals wait for the next attempt. So do approvals with time left, where the connection was
   * lost, as in a switchover, or the deadline of others came. The rest is refused.
   */
  function lost(batch: readonly Entry[], batchDeadline: number, error: unknown): void {
    const now = performance.now();
    const isPassing = !closed && (error instanceof ConnectionLost || now >= batchDeadline);
    const waits = ({ deadline, attempts }: Entry): boolean =>
      isPassing && attempts <= MOST_ATTEMPTS && deadline !== null && deadline > now + LEAST_MS;
    for (const entry of batch) entry.attempts += 1;
    refusals = [...batch.filter(({ deadline }) => deadline === null), ...refusals];
    approvals = [...batch.filter(waits), ...approvals];
    for (const entry of batch) {
      if (entry.deadline !== null && !waits(entry)) entry.recorded(unavailable(error), 0n);
    }
  }

  /** Moves approvals into a batch with this deadline; from the first one on that is due before it, they wait for the next. */
  function topUp(batch: Entry[], batchDeadline: number): void {
    const urgent = approvals.findIndex(({ deadline }) => (deadline ?? Infinity) < batchDeadline);
    const most = Math.min(LIMIT - batch.length, urgent < 0 ? approvals.length : urgent);
    batch.push(...approvals.splice(0, most));
    inFlight = batch.length;
  }

  /** @param batch grows until its turn has come */
  function write(batch: Entry[], mayGrow: boolean): void {
    const nearest = batch.reduce((least, { deadline }) => Math.min(least, deadline ?? Infinity), Infinity);
    const deadline = nearest === Infinity ? performance.now() + budgetMs : nearest;
    inFlight = batch.length;
    const grow = mayGrow ? () => topUp(batch, deadline) : NOBODY;
    writer.write(batch, { topUp: grow, deadline, waits: nearest !== Infinity }, (error, sequences) => {
      options.onBatch?.(batch.length);
      inFlight = 0;
      onOutcome(error);
      if (error === null) written(batch, sequences);
      else if (isEntryFault(error)) refused(batch, error);
      else {
        lost(batch, deadline, error);
        // Refusals alone wait for the next attempt.
        if (approvals.length === 0) rest();
        else collect();
        return;
      }
      retryMs = RETRY_FIRST_MS;
      collect();
    });
  }

  function written(batch: readonly Entry[], sequences: readonly bigint[]): void {
    for (let index = 0; index < batch.length; index += 1) {
      const entry = batch[index] as Entry;
      uncount(entry);
      entry.recorded(null, sequences[index] as bigint);
    }
  }

  const collect = createBatchWindow(waiting, () => {
    const alone = nextAlone();
    const batch = alone.length > 0 ? alone : nextBatch();
    if (batch.length > 0) write(batch, alone.length === 0);
    else rest();
  });

  function rest(): void {
    underWay = false;
    const due = anonymous.dueIn(performance.now());
    if (waiting() === 0 && due === null) idle.resolve();
    else if (waiting() > 0 && !closed) retryLater();
    else if (due !== null && !closed) turn = setTimeout(start, due);
  }

  function retryLater(): void {
    retry = setTimeout(start, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MOST_MS);
  }

  function start(): void {
    clearTimeout(retry);
    clearTimeout(turn);
    retry = undefined;
    if (underWay || closed) return;
    underWay = true;
    collect();
  }

  function refuseWaiting(error: unknown): void {
    underWay = false;
    for (const entry of [...oneByOne.splice(0), ...approvals.splice(0), ...refusals.splice(0)]) {
      entry.recorded(unavailable(error), 0n);
    }
  }

  /** Before an entry is taken: from now on a drain must wait. */
  function begin(): void {
    if (waiting() === 0 && anonymous.size === 0 && !underWay) idle = Promise.withResolvers<void>();
  }

  function record(
    decision: Decision,
    deadline: number,
    detections: readonly Detection[],
    recorded: Entry['recorded'],
  ): void {
    if (closed) return recorded(new DatabaseUnavailable('the decision log is closed'), 0n);
    begin();
    approvals.push({ decision: storableDecision(decision), detections, deadline, attempts: 0, recorded });
    start();
  }

  return {
    append: (decision, deadline = performance.now() + budgetMs, detections = []) =>
      new Promise((resolve, reject) => {
        record(decision, deadline, detections, (error, sequence) => {
          if (error !== null) reject(error);
          else resolve({ sequence });
        });
      }),
    record,
    appendLater(decision, detections = [], settled = NOBODY) {
      if (closed) return false;
      const limited = isAnonymous(decision) && detections.length === 0;
      if (!limited && later >= capacity) return false;
      begin();
      const storable = storableDecision(decision);
      if (limited) {
        anonymous.take(storable, performance.now());
        settled();
      } else takeLater(storable, detections, settled);
      // A refusal waits for the next attempt while the database is known to be unavailable.
      if (retry === undefined) start();
      return true;
    },
    async drain(milliseconds) {
      for (const one of anonymous.all()) takeLater(one, [], NOBODY);
      if (waiting() > 0) start();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      });
      await Promise.race([idle.promise, late]);
      clearTimeout(timer);
      return waiting() + inFlight;
    },
    close() {
      closed = true;
      clearTimeout(retry);
      clearTimeout(turn);
      writer.close();
      refuseWaiting('the decision log is closed');
    },
  };
}

/** Entries per second for callers without a proof: the sustained rate, and the burst. */
const RATE = 20;
const BURST = 1000;
/** The newest refusals past the limit wait for their turn; older ones are counted together. */
const WAITING = 100;
/** Milliseconds between two entries that count refusals of one kind. */
const PERIOD = 10_000;
/** Addresses distinguished in such an entry. */
const ADDRESSES = 4;

/** Whether a decision is a refusal of a caller without a proof. An undecided one may be of any caller. */
export function isAnonymous({ outcome, subject, status }: Decision): boolean {
  return outcome === 'refused' && subject === null && status < 500;
}

/** Refusals of one kind that became one entry. */
interface Counted {
  count: number;
  readonly first: Decision;
  last: Decision;
  readonly addresses: Set<string>;
  oneResource: boolean;
}

/**
 * The share of the log for callers without a proof (log-13): refusals beyond it are counted, so that nothing disappears silently,
 * and the rest of the log remains for known callers.
 */
export class AnonymousRefusals {
  #tokens = BURST;
  #refilledAt: number;
  /** Within the limit, to be written next. */
  readonly #granted: Decision[] = [];
  readonly #waiting: Decision[] = [];
  readonly #counted = new Map<string, Counted>();
  #countedSince = 0;

  /** @param now milliseconds on a monotonic clock. */
  constructor(now: number) {
    this.#refilledAt = now;
  }

  get size(): number {
    return this.#granted.length + this.#waiting.length + this.#counted.size;
  }

  take(decision: Decision, now: number): void {
    this.#waiting.push(decision);
    this.#grant(now);
    if (this.#waiting.length > WAITING) this.#count(this.#waiting.shift() as Decision, now);
  }

  /** What may be written now, at most so many entries. */
  due(now: number, most: number): readonly Decision[] {
    this.#grant(now);
    const taken = this.#granted.splice(0, most);
    return this.#counted.size > 0 && now - this.#countedSince >= PERIOD ? [...taken, ...this.#entries()] : taken;
  }

  /** Milliseconds until something is due; null where nothing waits. */
  dueIn(now: number): number | null {
    this.#grant(now);
    if (this.#granted.length > 0) return 0;
    const inTurn = this.#waiting.length > 0 ? Math.max(0, (1000 * (1 - this.#tokens)) / RATE) : null;
    const counted = this.#counted.size > 0 ? Math.max(0, this.#countedSince + PERIOD - now) : null;
    return inTurn === null || counted === null ? (inTurn ?? counted) : Math.min(inTurn, counted);
  }

  /** Everything that waits, before the log is closed. */
  all(): readonly Decision[] {
    return [...this.#granted.splice(0), ...this.#waiting.splice(0), ...this.#entries()];
  }

  #grant(now: number): void {
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#refilledAt) * RATE) / 1000);
    this.#refilledAt = now;
    const granted = this.#waiting.splice(0, Math.floor(this.#tokens));
    this.#tokens -= granted.length;
    this.#granted.push(...granted);
  }

  #count(decision: Decision, now: number): void {
    if (this.#counted.size === 0) this.#countedSince = now;
    const { component, permission, reason, status, credential, sourceAddress, resource } = decision;
    const kind = [component, permission, reason, status, credential].join(' ');
    const counted = this.#counted.get(kind);
    if (counted === undefined) {
      const addresses = new Set(sourceAddress === null ? [] : [sourceAddress]);
      this.#counted.set(kind, { count: 1, first: decision, last: decision, addresses, oneResource: true });
      return;
    }
    counted.count += 1;
    counted.last = decision;
    counted.oneResource &&= counted.first.resource === resource;
    if (sourceAddress !== null && counted.addresses.size <= ADDRESSES) counted.addresses.add(sourceAddress);
  }

  #entries(): readonly Decision[] {
    const entries = [...this.#counted.values()].map(entryOf);
    this.#counted.clear();
    return entries;
  }
}

function entryOf({ count, first, last, addresses, oneResource }: Counted): Decision {
  if (count === 1) return last;
  const [address = null, ...others] = [...addresses].slice(0, ADDRESSES);
  const from = addresses.size > ADDRESSES ? 'many addresses' : [address, ...others].join(', ');
  return {
    ...last,
    resource: oneResource ? first.resource : 'several',
    session: null,
    requestId: null,
    sourceAddress: others.length === 0 ? address : null,
    detail: `${count} refusals of this kind from ${first.at} to ${last.at}${address === null ? '' : `, from ${from}`}`,
  };
}
