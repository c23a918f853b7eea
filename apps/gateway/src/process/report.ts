import { type Level, type LogFormat, logLine } from '@gateway/configuration';
import { errorCode } from '@gateway/contract/error-code';
import { operatorLine } from '@gateway/secrets';

/** Lines for the operator, on standard error. Never a secret. The level is `warning` where none is given. */
export type Report = (line: string, level?: Level) => void;

/** Writes lines for the operator: the one way in which this program logs. No secret is shown. */
export function createReport(format: LogFormat, write: (line: string) => void): Report {
  return (line, level = 'warning') =>
    write(logLine(format, { time: new Date(), level, program: 'gateway', message: operatorLine(line) }));
}

/** Whether a process of this number exists, of any user; one that has ended and was not waited for does. */
export function processRuns(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Milliseconds since the epoch. */
export type Clock = () => number;

/** Milliseconds between two lines about the same fault: a full disk affects every record, and must not fill the log, too. */
const QUIET_MS = 60_000;

/** A fault that recurs until an operator fixes it. */
export interface RecurringFault {
  /** Reports a new fault immediately, then once a minute with the number of occurrences. */
  report(error: unknown): void;
  /** Reports at the end how often it occurred after the last line. */
  settle(): void;
}

/** @param sentence says what happened; the cause follows: `GATEWAY_STATE_DIR: a record could not be kept on disk` */
export function createRecurringFault(sentence: string, report: Report): RecurringFault {
  let quiet: NodeJS.Timeout | null = null;
  let unreported = 0;
  let last: unknown;

  function startQuiet(): void {
    quiet = setTimeout(endQuiet, QUIET_MS);
    quiet.unref();
  }

  function endQuiet(): void {
    quiet = null;
    if (unreported === 0) return;
    report(`${sentence}: ${String(last)} (${counted(unreported)} since the last report)`);
    unreported = 0;
    startQuiet();
  }

  return {
    report(error) {
      if (quiet !== null) {
        unreported += 1;
        last = error;
        return;
      }
      report(`${sentence}: ${String(error)}`);
      startQuiet();
    },
    settle() {
      if (quiet !== null) clearTimeout(quiet);
      quiet = null;
      if (unreported > 0) report(`${sentence}: ${counted(unreported)} more before the end`);
      unreported = 0;
    },
  };
}

const counted = (times: number): string => (times === 1 ? 'once' : `${times} times`);

/** What keeps the gateway from starting: one line an operator can act on, never a secret, never a stack. */
export class StartupFault extends Error {
  override readonly name = 'StartupFault';
}
