import { type Level, type LogFormat, logLine } from '@gateway/configuration';
import { operatorLine } from '@gateway/secrets';

/** Lines for the operator, on standard error. Never a secret. The level is `warning` where none is given. */
export type Report = (line: string, level?: Level) => void;

/** Writes lines for the operator: the one way in which this program logs. No secret is shown. */
export function createReport(format: LogFormat, write: (line: string) => void): Report {
  return (line, level = 'warning') =>
    write(logLine(format, { time: new Date(), level, program: 'gateway', message: operatorLine(line) }));
}
