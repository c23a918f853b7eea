import { operatorLine } from '@gateway/secrets';

/** Lines for the operator, on standard error. Never a secret. */
export type Report = (line: string) => void;

/** Writes lines for the operator: the one way in which this program logs. No secret is shown, whoever wrote it. */
export function createReport(write: (line: string) => void): Report {
  return (line) => write(`gateway: ${operatorLine(line)}`);
}

/** What a line says of an error that nobody foresaw. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
