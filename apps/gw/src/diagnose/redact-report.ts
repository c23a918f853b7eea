import type { Redaction } from '../redaction/redaction.ts';
import type { Report } from './report.ts';

/**
 * The report as it may be seen. Every text of it passes, whichever part put it there, and only now, when all values that
 * must be left out are known. Names of members are ours, but for those of variables, which are a fixed list.
 */
export function redactReport(report: Report, redaction: Redaction): Report {
  return redact(report, redaction) as Report;
}

function redact(value: unknown, redaction: Redaction): unknown {
  if (typeof value === 'string') return redaction.text(value);
  if (Array.isArray(value)) return value.map((each) => redact(each, redaction));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redact(each, redaction)]));
}
