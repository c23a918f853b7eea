import { type Line, line, truncate } from '../text/line.ts';
import { safeLine } from '../text/safe.ts';

/** Messages that wait for the end of the turn. */
export function queueLines(queue: readonly string[], columns: number): Line[] {
  if (queue.length === 0) return [];
  return [
    ...queue.map((message) => line(`⏎ ${safeLine(message)}`, { dim: true })),
    line('  queued; ↑ edits the last', { dim: true }),
  ].map((each) => truncate(each, columns));
}
