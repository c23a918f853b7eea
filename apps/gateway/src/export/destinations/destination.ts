import type { OutgoingEvent } from '../outgoing.ts';

/** A log collector. */
export interface Destination {
  /**
   * Resolves once the collector has taken every event of the batch; only then may their positions be kept (decisions §15).
   * @throws NotTaken, or what the network said; the whole batch is then sent again.
   */
  deliver(batch: readonly OutgoingEvent[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The collector answered, and did not take the batch. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
  /** Milliseconds the collector asked to wait; null where it said nothing. */
  readonly retryAfter: number | null;
  /** Fewer events at once may be taken. */
  readonly tooLarge: boolean;

  constructor(
    message: string,
    { retryAfter = null, tooLarge = false }: Partial<Pick<NotTaken, 'retryAfter' | 'tooLarge'>> = {},
  ) {
    super(message);
    this.retryAfter = retryAfter;
    this.tooLarge = tooLarge;
  }
}
