import type { Expiry } from '@gateway/database/gateway';

/** How often the ends are reported: the overview takes what was not repeated for half an hour for renewed. */
const EVERY_MS = 600_000;

export interface ExpiryReports {
  /** At once: after a certificate was renewed. */
  now(): void;
  close(): void;
}

/**
 * Reports when license and certificate end, for the overview of the console. A failed report waits for the next one: an
 * unavailable database is reported where calls need it.
 */
export function reportExpiries(
  read: () => readonly Expiry[],
  keep: (expiries: readonly Expiry[]) => Promise<void>,
): ExpiryReports {
  const now = (): void => {
    const expiries = read();
    if (expiries.length > 0) keep(expiries).catch(() => undefined);
  };
  const timer = setInterval(now, EVERY_MS);
  timer.unref();
  now();
  return { now, close: () => clearInterval(timer) };
}
