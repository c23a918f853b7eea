import { createRecurringFault, type RecurringFault } from '../process/recurring-fault.ts';
import type { Report } from '../process/report.ts';

/** Failed connections in this many milliseconds after which a provider is skipped. */
const FAILURES = 3;
const WITHIN_MS = 10_000;
const SKIPPED_MS = 5_000;

interface Unreached {
  /** When its last connections failed, at most `FAILURES - 1`. */
  failedAt: number[];
  skippedUntil: number;
  readonly fault: RecurringFault;
}

/**
 * Providers that could not be reached lately, of endpoints with a standby. While one is skipped, its calls go to the standby at
 * once. This decides about no caller, so each process has its own.
 */
export class UnreachedProviders {
  readonly #report: Report;
  readonly #onSkip: (provider: string) => void;
  readonly #now: () => number;
  readonly #providers = new Map<string, Unreached>();

  /** @param onSkip gets the slug of a provider that is skipped from now on. @param now in milliseconds, never set. */
  constructor(report: Report, onSkip: (provider: string) => void, now: () => number = () => performance.now()) {
    this.#report = report;
    this.#onSkip = onSkip;
    this.#now = now;
  }

  isSkipped(provider: string): boolean {
    const known = this.#providers.get(provider);
    return known !== undefined && this.#now() < known.skippedUntil;
  }

  /** A connection failed. Failures during a skip are of attempts from before it. */
  failed(provider: string): void {
    const now = this.#now();
    const known = this.#providers.get(provider) ?? this.#added(provider);
    if (now < known.skippedUntil) return;
    known.failedAt = [...known.failedAt.filter((at) => now - at < WITHIN_MS), now];
    if (known.failedAt.length < FAILURES) return;
    known.failedAt = [];
    known.skippedUntil = now + SKIPPED_MS;
    this.#onSkip(provider);
    known.fault.report(`${FAILURES} connections failed within ${WITHIN_MS / 1000} seconds`);
  }

  close(): void {
    for (const { fault } of this.#providers.values()) fault.settle();
  }

  #added(provider: string): Unreached {
    const sentence = `The provider ${provider} is skipped for ${SKIPPED_MS / 1000} seconds, and standbys serve its calls`;
    const added = { failedAt: [], skippedUntil: 0, fault: createRecurringFault(sentence, this.#report) };
    this.#providers.set(provider, added);
    return added;
  }
}
