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
