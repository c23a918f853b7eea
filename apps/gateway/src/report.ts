import { operatorLine } from '@gateway/secrets';
import type { Report } from './relay/ports.ts';

/** Writes lines for the operator: the one way in which this program logs. No secret is shown, whoever wrote it. */
export function createReport(write: (line: string) => void): Report {
  return (line) => write(`gateway: ${operatorLine(line)}`);
}
