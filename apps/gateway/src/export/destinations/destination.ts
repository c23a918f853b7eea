import type { CollectorEvent } from './outgoing.ts';

/** A log collector. */
export interface Destination {
  /**
   * Resolves once the collector has taken every event of the batch; only then may their positions be kept (log-16).
   * @throws NotTaken, or what the network said; the whole batch is then sent again.
   */
  deliver(batch: readonly CollectorEvent[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** What is known of a batch that was not taken, besides that. */
interface Refused {
  /** Milliseconds the collector asked to wait; null where it said nothing. */
  readonly retryAfter: number | null;
  /** Fewer events at once may be taken: they are too many, or one of them is not wanted. */
  readonly fewer: boolean;
  /** What the collector says of it in its own words; empty where it says nothing. */
  readonly words: string;
}

/** The collector answered, and did not take the batch. */
export class NotTaken extends Error implements Refused {
  override readonly name = 'NotTaken';
  readonly retryAfter: number | null;
  readonly fewer: boolean;
  readonly words: string;

  constructor(message: string, { retryAfter = null, fewer = false, words = '' }: Partial<Refused> = {}) {
    super(message);
    this.retryAfter = retryAfter;
    this.fewer = fewer;
    this.words = words;
  }
}
