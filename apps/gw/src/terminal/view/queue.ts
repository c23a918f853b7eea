import { type Line, line, truncate } from '../text/line.ts';
import { safeLine } from '../text/safe.ts';

/** Messages that wait for the end of the turn. */
export function queueLines(queue: readonly string[], columns: number, steering: readonly string[] = []): Line[] {
  if (queue.length + steering.length === 0) return [];
  return [
    ...steering.map((message) => line(`↪ ${safeLine(message)}`, { dim: true })),
    ...(steering.length === 0
      ? []
      : [line('  goes to the model with the next results; ↑ edits the last', { dim: true })]),
    ...(queue.length === 0 ? [] : queued(queue)),
  ].map((each) => truncate(each, columns));
}

function queued(queue: readonly string[]): Line[] {
  return [
    ...queue.map((message) => line(`⏎ ${safeLine(message)}`, { dim: true })),
    line('  queued; ↑ edits the last', { dim: true }),
  ];
}
