import type { Report } from '../process/report.ts';

/** Milliseconds in which the same line of another worker is the same news. */
const SAME_NEWS = 60_000;
/** Lines that are remembered. */
const MOST = 1000;

/**
 * Reports lines of several processes: what all of them find, as a database that fails, is reported once. A process that repeats
 * its own line has news.
 * @param clock milliseconds
 */
export function createSharedReport(
  report: Report,
  clock: () => number,
): (source: number, ...line: Parameters<Report>) => void {
  const seen = new Map<string, { readonly source: number; readonly at: number }>();
  return (source, line, level) => {
    const last = seen.get(line);
    const now = clock();
    if (last !== undefined && last.source !== source && now - last.at < SAME_NEWS) return;
    seen.delete(line);
    seen.set(line, { source, at: now });
    for (const oldest of seen.keys()) if (seen.size > MOST) seen.delete(oldest);
    report(line, level);
  };
}
