import type { CollectorEvent } from './outgoing.ts';

/** A log collector. */
export interface Destination {
  /**
   * Resolves once the collector has accepted every event of the batch; only then may their positions be stored (log-16).
   * @throws NotTaken, or the network's error; the whole batch is then sent again.
   */
  deliver(batch: readonly CollectorEvent[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Details of a refused batch. */
interface Refused {
  /** Milliseconds the collector asked to wait; null without a value. */
  readonly retryAfter: number | null;
  /** A smaller batch may be accepted: there are too many events, or one of them is refused. */
  readonly fewer: boolean;
  /** The operator is told although a smaller batch follows: events were rejected, or the collector is slow. */
  readonly isReported: boolean;
  /** The collector's own message; empty without one. */
  readonly reply: string;
}

/** The collector answered, and did not take the batch. */
export class NotTaken extends Error implements Refused {
  override readonly name = 'NotTaken';
  readonly retryAfter: number | null;
  readonly fewer: boolean;
  readonly isReported: boolean;
  readonly reply: string;

  constructor(
    message: string,
    { retryAfter = null, fewer = false, isReported = false, reply = '' }: Partial<Refused> = {},
  ) {
    super(message);
    this.retryAfter = retryAfter;
    this.fewer = fewer;
    this.isReported = isReported;
    this.reply = reply;
  }
}
