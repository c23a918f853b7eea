import { visitStrings } from '../json/strings.ts';
import { channelOf, type StreamEvent } from './deltas.ts';
import type { Framing } from './framing.ts';

/** A range of bytes of an event. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A string of an event that continues a channel: the bytes of its literal, and the channel. */
export interface Delta extends Span {
  readonly channel: string;
}

/** Bytes to put in place of a range of an event. */
export interface Change extends Span {
  readonly text: string;
}

/** The only line of data of an event; what it holds is a group, for its place. */
const DATA = /^data:[ ]?([^\r\n]*)/gm;

/** The bytes of an event's data: of its only data line, or of the whole line. Null when there is none, or several. */
export function dataOf(bytes: Uint8Array, framing: Framing): Span | null {
  if (framing === 'ndjson') return { from: 0, to: bytes.length };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  DATA.lastIndex = 0;
  const line = DATA.exec(text);
  if (line === null || DATA.test(text)) return null;
  const to = line.index + line[0].length;
  return { from: to - (line[1] ?? '').length, to };
}

/** The event, or undefined (which JSON cannot say) when the text is no JSON. */
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
 * @param data where the event's JSON stands in the bytes.
 * @param json the same as text.
 */
export function deltasOf(bytes: Uint8Array, { from, to }: Span, json: string, event: StreamEvent): Delta[] {
  const deltas: Delta[] = [];
  const isAscii = json.length === to - from;
  const nameOf = (start: number, end: number): string =>
    isAscii ? json.slice(start, end) : textOf(bytes, from + start, from + end);
  visitStrings(bytes.subarray(from, to), nameOf, (string) => {
    const channel = string.isName ? null : channelOf(event, string.path);
    if (channel !== null) deltas.push({ from: from + string.from, to: from + string.to, channel });
    return true;
  });
  return deltas;
}

/** The text that the literal of a delta is. */
export function textOfDelta(bytes: Uint8Array, { from, to }: Delta): string {
  return JSON.parse(`"${textOf(bytes, from, to)}"`) as string;
}

/** How a text stands in a literal. */
export function literalOf(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function replace(bytes: Uint8Array, changes: readonly Change[]): Uint8Array {
  if (changes.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const change of [...changes].sort((a, b) => a.from - b.from)) {
    pieces.push(bytes.subarray(at, change.from), Buffer.from(change.text));
    at = change.to;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

export function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}
