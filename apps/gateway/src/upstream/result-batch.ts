import type { KeyUse, UpstreamResult } from '@gateway/database/gateway';

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
