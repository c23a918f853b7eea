import type { Expiry, KeyVariables } from '@gateway/database/gateway';

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

/** How often the names are read, and how often an unchanged report is repeated. The console calls one of 5 minutes old. */
const LOOK_MS = 10_000;
const REPEAT_MS = 60_000;

interface KeyVariablePorts {
  /** Host name and port of this gateway. */
  readonly gateway: string;
  /** The names that providers refer to. */
  readonly names: () => Promise<readonly string[]>;
  readonly isSet: (name: string) => boolean;
  readonly keep: (variables: KeyVariables) => Promise<void>;
}

/** Reports which key variables are set here, so that the console can name a gateway that lacks one. */
export function reportKeyVariables({ gateway, names, isSet, keep }: KeyVariablePorts): { close(): Promise<void> } {
  let closed = false;
  let kept = { text: '', at: Number.NEGATIVE_INFINITY };
  const look = async (): Promise<void> => {
    try {
      const { present = [], absent = [] } = Object.groupBy(await names(), (name) =>
        isSet(name) ? 'present' : 'absent',
      );
      const text = JSON.stringify([present, absent]);
      if (text !== kept.text || performance.now() - kept.at >= REPEAT_MS) {
        await keep({ gateway, present, absent });
        kept = { text, at: performance.now() };
      }
    } catch {
      // The database watch reports it.
    }
    if (!closed) timer = setTimeout(next, LOOK_MS).unref();
  };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const next = (): void => {
    running = look();
  };
  next();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}
