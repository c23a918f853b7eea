import type { KeyUse, UpstreamResult } from '@gateway/domain/provider/gateway';
import { createRecurringFault, type RecurringFault, type Report } from '../process/report.ts';

/** Rows that wait for the database at most: a database that is down must not fill the memory. */
const MOST_WAITING = 10_000;
const MOST_TOGETHER = 500;
/** Milliseconds between two batches. */
const PAUSE = 1000;
const NOTHING: ResultRows = { results: [], keyUses: [] };

/** Collects the providers' results and stores them a moment later: no call waits for it or fails because of it. */
export interface UpstreamResults {
  add(result: CallResult): void;
  /** Rows that wait for the database. */
  readonly waiting: number;
  /** Keeps what waits, once. */
  close(): Promise<void>;
}

export function createUpstreamResults(keep: (rows: ResultRows) => Promise<void>, report: Report): UpstreamResults {
  const unkept = createRecurringFault('DATABASE_URL: results of providers were not kept', report);
  /** By provider: why it did not answer, for the operator who is told of a 502. */
  const unanswered = new Map<string, RecurringFault>();
  let collected = new ResultBatch();
  /** Taken from a batch, and sent again unchanged until they are stored: a row written twice must be one row. */
  let leaving = NOTHING;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let dropped = 0;

  const waiting = (): number => collected.size + leaving.results.length;

  /** Stores what was collected until now. Results that arrive meanwhile are stored with the next batch: a batch for few calls costs as much as for many. */
  async function flush(): Promise<void> {
    if (leaving.results.length === 0) {
      leaving = collected.rows();
      collected = new ResultBatch();
    }
    while (leaving.results.length > 0) {
      const { results, keyUses } = leaving;
      await keep({ results: results.slice(0, MOST_TOGETHER), keyUses });
      leaving = { results: results.slice(MOST_TOGETHER), keyUses: [] };
    }
    if (dropped > 0) report(`${dropped} results of providers were not kept: the database did not take them in time.`);
    dropped = 0;
  }

  function arm(): void {
    if (timer !== null || writing !== null || waiting() === 0) return;
    timer = setTimeout(() => {
      timer = null;
      writing = flush()
        .catch((error: unknown) => unkept.report(error)) // they wait for the next turn
        .finally(() => {
          writing = null;
          arm();
        });
    }, PAUSE);
    timer.unref();
  }

  return {
    get waiting() {
      return waiting();
    },
    add(result) {
      const { provider, status, fault } = result;
      if (status === null && fault !== null) {
        const recurring =
          unanswered.get(provider) ?? createRecurringFault(`The provider ${provider} gave no answer`, report);
        unanswered.set(provider, recurring);
        recurring.report(fault);
      }
      if (waiting() >= MOST_WAITING) dropped += 1;
      else collected.add(result);
      arm();
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      for (const recurring of unanswered.values()) recurring.settle();
      await writing;
      try {
        while (waiting() > 0) await flush();
      } catch {
        report(`${waiting()} results of providers could not be kept at the end.`);
      }
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** How a provider answered one relayed call. */
export interface CallResult {
  readonly decisionId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly endpoint: string;
  /** Its slug. */
  readonly provider: string;
  /** Null without an answer. */
  readonly status: number | null;
  readonly fault: string | null;
  /** The key that let the call through; null for a token. */
  readonly keyId: string | null;
}

/** Rows for the database. */
export interface ResultRows {
  readonly results: readonly UpstreamResult[];
  readonly keyUses: readonly KeyUse[];
}

interface Counted {
  readonly first: CallResult;
  calls: number;
}

const SECOND = 1000;
const isFailed = ({ status, fault }: CallResult): boolean => status === null || status >= 400 || fault !== null;

/**
 * Results of a short time. A failed call gets a row of its own, so that its cause can be read later. Calls that went well are
 * counted, those of one second, endpoint, provider and status in one row.
 */
export class ResultBatch {
  readonly #counted: Counted[] = [];
  readonly #alike = new Map<string, Counted>();
  readonly #keyUses = new Map<string, number>();

  /** Rows, not calls. */
  get size(): number {
    return this.#counted.length;
  }

  add(result: CallResult): void {
    const { keyId, at } = result;
    if (keyId !== null && at > (this.#keyUses.get(keyId) ?? 0)) this.#keyUses.set(keyId, at);
    if (isFailed(result)) {
      this.#counted.push({ first: result, calls: 1 });
      return;
    }
    const kind = `${Math.floor(at / SECOND)} ${result.status} ${result.endpoint} ${result.provider}`;
    const alike = this.#alike.get(kind);
    if (alike !== undefined) {
      alike.calls += 1;
      return;
    }
    const counted = { first: result, calls: 1 };
    this.#alike.set(kind, counted);
    this.#counted.push(counted);
  }

  rows(): ResultRows {
    const results = this.#counted.map(({ first: { decisionId, at, endpoint, provider, status, fault }, calls }) => {
      return { decisionId, at: isoTime(at), endpoint, provider, status, fault, calls };
    });
    return { results, keyUses: [...this.#keyUses].map(([keyId, at]) => ({ keyId, at: isoTime(at) })) };
  }
}

const isoTime = (at: number): string => new Date(at).toISOString();
