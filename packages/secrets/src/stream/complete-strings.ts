import { pointersOf } from '../json/pointer.ts';
import { type Finding, maskOf } from '../scan/finding.ts';
import type { Scanner } from '../scanner/scanner.ts';
import type { Delta, EventData } from './event.ts';

/** Bytes of the shortest secret that any rule knows, rounded down. */
const SHORTEST = 6;
/** Bytes scanned without a pause. */
const SHORT = 8 * 1024;

/**
 * Secrets that are whole in an event, outside the texts that other events continue. Positions are those of the event's bytes.
 * Pauses in a long event.
 */
export function* findComplete(
  scanner: Scanner,
  bytes: Uint8Array,
  data: EventData | null,
  deltas: readonly Delta[],
): Generator<undefined, readonly Finding[]> {
  if (bytes.length < SHORTEST) return [];
  const isShort = bytes.length <= SHORT;
  const { findings } = isShort ? scanner.scanBody(bytes, TYPE) : yield* scanner.scanBodyInSteps(bytes, TYPE);
  const own: Finding[] = [];
  for (const [index, finding] of findings.entries()) {
    if (index % 16 === 15) yield;
    if (!deltas.some(({ from, to }) => finding.start < to && finding.end > from)) own.push(finding);
  }
  return data === null || own.length === 0 ? own : yield* withPointers(own, data);
}

const TYPE = 'text/plain';

function* withPointers(
  found: readonly Finding[],
  { bytes, from, to }: EventData,
): Generator<undefined, readonly Finding[]> {
  const ranges = found.map(({ start, end, kind }) => ({ start: start - from, end: end - from, mask: maskOf(kind) }));
  const pointers = yield* pointersOf(bytes.subarray(from, to), ranges);
  return found.map((finding, at) => ({ ...finding, pointer: pointers[at] ?? null }));
}
