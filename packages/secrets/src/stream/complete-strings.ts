import { pointersOf } from '../json/pointer.ts';
import { type Finding, maskOf } from '../scan/finding.ts';
import { runToEnd } from '../scan/run-to-end.ts';
import type { Scanner } from '../scanner/scanner.ts';
import type { Delta, EventData } from './event.ts';

/** Secrets that are whole in an event, outside the texts that other events continue. Positions are those of the event's bytes. */
export function findComplete(
  scanner: Scanner,
  bytes: Uint8Array,
  data: EventData | null,
  deltas: readonly Delta[],
): readonly Finding[] {
  const found = scanner.scanBody(bytes, 'text/plain').findings;
  const own = found.filter(({ start, end }) => !deltas.some(({ from, to }) => start < to && end > from));
  return data === null || own.length === 0 ? own : withPointers(own, data);
}

function withPointers(found: readonly Finding[], { bytes, from, to }: EventData): readonly Finding[] {
  const ranges = found.map(({ start, end, kind }) => ({ start: start - from, end: end - from, mask: maskOf(kind) }));
  const pointers = runToEnd(pointersOf(bytes.subarray(from, to), ranges));
  return found.map((finding, at) => ({ ...finding, pointer: pointers[at] ?? null }));
}
