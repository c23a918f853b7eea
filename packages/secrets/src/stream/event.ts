import { visitStrings } from '@gateway/json';
import { channelOf, type StreamEvent } from './deltas.ts';
import type { Framing } from './framing.ts';

/** Longer events, and parts of such, are scanned as text. */
export const LONGEST_EVENT = 256 * 1024;

/** A range of bytes of an event. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A string of an event that continues a channel: the bytes of its literal, and the channel. */
export interface Delta extends Span {
  readonly channel: string;
}

/** Bytes that replace a range of an event. */
export interface Replacement extends Span {
  readonly text: string;
}

/** The data of an event, in as many bytes as the event: positions in both are the same. */
export interface EventData extends Span {
  readonly bytes: Uint8Array;
}

/** A line of data of an event; its content is a group, for its position. */
const DATA = /^data:[ ]?([^\r\n]*)/gm;

/** The data of an event of lines of JSON is its line. Null for an event without one. */
export function dataOf(bytes: Uint8Array, framing: Framing): EventData | null {
  if (framing === 'ndjson') return { bytes, from: 0, to: bytes.length };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  DATA.lastIndex = 0;
  const first = spanOf(DATA.exec(text));
  if (first === null) return null;
  const second = spanOf(DATA.exec(text));
  return second === null ? { bytes, ...first } : joinLines(bytes, text, [first, second]);
}

/**
 * Several lines of data are one text, with the lines' ends (WHATWG, server-sent events). The bytes between them become spaces,
 * which are as insignificant in JSON as line ends.
 */
function joinLines(bytes: Uint8Array, text: string, lines: Span[]): EventData {
  for (let more = spanOf(DATA.exec(text)); more !== null; more = spanOf(DATA.exec(text))) lines.push(more);
  const data = Buffer.alloc(bytes.length, ' ');
  for (const { from, to } of lines) {
    data.set(bytes.subarray(from, to), from);
    if (to < data.length) data.fill('\n', to, to + 1); // the last line of a stream can lack its end
  }
  return { bytes: data, from: lines[0]?.from ?? 0, to: lines.at(-1)?.to ?? 0 };
}

function spanOf(line: RegExpExecArray | null): Span | null {
  if (line === null) return null;
  const to = line.index + line[0].length;
  return { from: to - (line[1] ?? '').length, to };
}

/** The event, or undefined (which JSON cannot represent) when the text is no JSON. */
export function parse(json: string): StreamEvent {
  try {
    return JSON.parse(json) as StreamEvent;
  } catch {
    return undefined;
  }
}

/** Whether the data is what services end a stream with. */
export function isDone(json: string): boolean {
  return json.length < 64 && json.trim() === '[DONE]';
}

/**
 * @param data with the event's JSON.
 * @param json the same as text.
 */
export function* deltasOf(
  { bytes, from, to }: EventData,
  json: string,
  event: StreamEvent,
): Generator<undefined, Delta[]> {
  const deltas: Delta[] = [];
  const isAscii = json.length === to - from;
  const nameOf = (start: number, end: number): string => {
    const name = isAscii ? json.slice(start, end) : decoded(bytes, from + start, from + end);
    return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name;
  };
  yield* visitStrings(bytes.subarray(from, to), nameOf, (string) => {
    const channel = string.isName ? null : channelOf(event, string.path);
    if (channel !== null) deltas.push({ from: from + string.from, to: from + string.to, channel });
    return true;
  });
  return deltas;
}

/** The text that the literal of a delta is. */
export function textOfDelta(bytes: Uint8Array, { from, to }: Delta): string {
  return JSON.parse(`"${decoded(bytes, from, to)}"`) as string;
}

/** The text as it is written in a literal. */
export function literalOf(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function replace(bytes: Uint8Array, changes: readonly Replacement[]): Uint8Array {
  if (changes.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const change of [...changes].sort((a, b) => a.from - b.from)) {
    pieces.push(bytes.subarray(at, change.from), Buffer.from(change.text));
    at = change.to;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

export function decoded(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}
