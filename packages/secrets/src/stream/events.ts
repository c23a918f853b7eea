import { type Finding, maskOf } from '../finding.ts';
import { pointersOf } from '../json/pointer.ts';
import { visitStrings } from '../json/strings.ts';
import type { Responses } from '../response.ts';
import type { Scanner } from '../scanner.ts';
import type { Channel } from './channel.ts';
import { channelOf, endedBy, type StreamEvent } from './deltas.ts';
import { createFramer, type Framing } from './framing.ts';

/** An answer with more texts at once than this gets its oldest ones ended. */
const MOST_CHANNELS = 256;

/** Longer events, and parts of such, are scanned as text. */
const LONGEST_EVENT = 256 * 1024;

/** What may be sent on after bytes of a streamed answer came in. */
export interface EventStep {
  readonly bytes: Uint8Array;
  readonly findings: readonly Finding[];
  /** Block mode: a secret would come next. The stream has to be ended; nothing more comes out. */
  readonly blocked: boolean;
}

/** A streamed answer, event by event: a pure state machine. */
export interface EventStream {
  push(chunk: Uint8Array): EventStep;
  end(): EventStep;
}

/** A range of bytes of an event. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A string of an event that continues a channel: the bytes of its literal, and the channel. */
interface Delta extends Span {
  readonly channel: string;
}

/** Bytes to put in place of a range of an event. */
interface Change extends Span {
  readonly text: string;
}

interface OpenChannel {
  readonly name: string;
  readonly scanner: Channel;
  /** The last event that carried the channel, around its literal: what is left at the end leaves in its likeness. */
  before: Uint8Array;
  after: Uint8Array;
}

/**
 * Scans a streamed answer (issue: one scanner a logical channel). Only the delta strings are rewritten, and the other
 * strings in which a secret stands whole; the structure of the events and all other bytes stay.
 */
export function createEventStream(scanner: Scanner, responses: Responses, framing: Framing): EventStream {
  const framer = createFramer(framing);
  const channels = new Map<string, OpenChannel>();
  let out: Uint8Array[] = [];
  let findings: Finding[] = [];
  let blocked = false;
  /** The last event, where it held one delta and nothing else of interest. */
  let pattern: OpenChannel | null = null;

  function openChannel(name: string): OpenChannel {
    const known = channels.get(name);
    if (known !== undefined) return known;
    if (channels.size >= MOST_CHANNELS) close([...channels.keys()][0] ?? '', []);
    const empty = new Uint8Array(0);
    const opened = { name, scanner: scanner.channel(responses, name), before: empty, after: empty };
    channels.set(name, opened);
    return opened;
  }

  function frame(bytes: Uint8Array): void {
    if (pattern !== null && followPattern(bytes, pattern)) return;
    pattern = null;
    const data = bytes.length > LONGEST_EVENT ? null : dataOf(bytes, framing);
    const event = data === null ? undefined : parse(bytes.subarray(data.from, data.to));
    if (data === null || event === undefined) {
      if (data !== null && isDone(bytes.subarray(data.from, data.to))) closeAll();
      whole(bytes, null, [], []);
      return;
    }
    const deltas = deltasOf(bytes, data.from, data.to, event);
    const ending = endedBy(event);
    const changes: Change[] = [];
    for (const delta of deltas) if (!blocked) follow(bytes, delta, ending, changes);
    if (!blocked) for (const prefix of ending) close(prefix, deltas);
    const harmless = whole(bytes, data, deltas, changes);
    for (const delta of deltas) remember(bytes, deltas, delta);
    const [only] = deltas;
    if (harmless && only !== undefined && deltas.length === 1 && ending.length === 0) {
      pattern = channels.get(only.channel) ?? null;
    }
  }

  /**
   * Most events of a stream are the one before with another text in the same place: then the place is known, and all
   * around it has been scanned. False where an event is not like it.
   */
  function followPattern(bytes: Uint8Array, { name, before, after }: OpenChannel): boolean {
    const to = bytes.length - after.length;
    if (bytes.length > LONGEST_EVENT || to < before.length || !sameAt(bytes, 0, before) || !sameAt(bytes, to, after))
      return false;
    for (let at = before.length; at < to; at++) if (PLAIN[bytes[at] as number] === 0) return false;
    const changes: Change[] = [];
    follow(bytes, { from: before.length, to, channel: name }, [], changes);
    if (!blocked || changes.some(({ text }) => text !== '')) out.push(replace(bytes, changes));
    return true;
  }

  /** Feeds a delta to its channel, and notes what becomes of its literal. */
  function follow(bytes: Uint8Array, delta: Delta, ending: readonly string[], changes: Change[]): void {
    const text = JSON.parse(`"${textOf(bytes, delta.from, delta.to)}"`) as string;
    const { scanner: channel } = openChannel(delta.channel);
    let step = channel.push(text);
    findings.push(...step.findings);
    let left = step.text;
    if (!step.blocked && ending.some((prefix) => delta.channel.startsWith(prefix))) {
      step = channel.end();
      findings.push(...step.findings);
      left += step.text;
      channels.delete(delta.channel);
    }
    blocked ||= step.blocked;
    if (left !== text) changes.push({ from: delta.from, to: delta.to, text: JSON.stringify(left).slice(1, -1) });
  }

  /**
   * Scans the strings of an event that are complete in themselves, then lets the event go. True where nothing was found
   * in them.
   */
  function whole(bytes: Uint8Array, data: Span | null, deltas: readonly Delta[], changes: readonly Change[]): boolean {
    const report = scanner.scanBody(bytes, 'text/plain');
    const own = report.findings.filter(({ start, end }) => !deltas.some(({ from, to }) => start < to && end > from));
    findings.push(...(data === null ? own : withPointers(own, bytes.subarray(data.from, data.to), data.from)));
    if (own.some(({ confidence }) => responses[confidence] === 'block')) blocked = true;
    else if (!blocked || changes.some(({ text }) => text !== '')) {
      const masks = own
        .filter(({ confidence }) => responses[confidence] === 'mask')
        .map(({ start, end, kind }) => ({ from: start, to: end, text: maskOf(kind) }));
      out.push(replace(bytes, [...changes, ...masks]));
    }
    return own.length === 0;
  }

  function remember(bytes: Uint8Array, deltas: readonly Delta[], { channel, from, to }: Delta): void {
    const open = channels.get(channel);
    if (open === undefined) return;
    const others = deltas.filter((other) => other.from !== from).map((other) => ({ ...other, text: '' }));
    open.before = replace(
      bytes.subarray(0, from),
      others.filter((other) => other.from < from),
    );
    open.after = replace(
      bytes.subarray(to),
      others
        .filter((other) => other.from > from)
        .map((other) => ({ text: '', from: other.from - to, to: other.to - to })),
    );
  }

  /** Ends channels whose name begins so: what they held back leaves in an event like their last one. */
  function close(prefix: string, present: readonly Delta[]): void {
    for (const [name, { scanner: channel, before, after }] of channels) {
      if (!name.startsWith(prefix) || present.some((delta) => delta.channel === name)) continue;
      const step = channel.end();
      findings.push(...step.findings);
      blocked ||= step.blocked;
      channels.delete(name);
      if (step.text !== '') out.push(before, Buffer.from(JSON.stringify(step.text).slice(1, -1)), after);
      if (blocked) return;
    }
  }

  function closeAll(): void {
    close('', []);
  }

  function step(frames: readonly Uint8Array[], last: boolean): EventStep {
    for (const bytes of frames) if (!blocked) frame(bytes);
    if (last && !blocked) closeAll();
    const result = { bytes: out.length === 1 ? (out[0] as Uint8Array) : Buffer.concat(out), findings, blocked };
    out = [];
    findings = [];
    return result;
  }

  return {
    push: (chunk) => step(framer.push(chunk), false),
    end() {
      const rest = framer.end();
      return step(rest.length > 0 ? [rest] : [], true);
    },
  };
}

/** Bytes that stand for themselves in a JSON string. */
const PLAIN = new Uint8Array(256).fill(1);
PLAIN.fill(0, 0, 0x20);
PLAIN[0x22] = 0;
PLAIN[0x5c] = 0;

function sameAt(bytes: Uint8Array, from: number, part: Uint8Array): boolean {
  for (let at = 0; at < part.length; at++) if (bytes[from + at] !== part[at]) return false;
  return true;
}

function textOf(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8');
}

function deltasOf(bytes: Uint8Array, from: number, to: number, event: StreamEvent): Delta[] {
  const json = bytes.subarray(from, to);
  const deltas: Delta[] = [];
  const nameOf = (start: number, end: number): string => textOf(json, start, end);
  visitStrings(json, nameOf, (string) => {
    const channel = string.isName ? null : channelOf(event, string.path);
    if (channel !== null) deltas.push({ from: from + string.from, to: from + string.to, channel });
    return true;
  });
  return deltas;
}

function withPointers(found: readonly Finding[], json: Uint8Array, offset: number): readonly Finding[] {
  if (found.length === 0) return found;
  const ranges = found.map(({ start, end, kind }) => ({
    start: start - offset,
    end: end - offset,
    mask: maskOf(kind),
  }));
  const pointers = pointersOf(json, ranges);
  return found.map((finding, at) => ({ ...finding, pointer: pointers[at] ?? null }));
}

function replace(bytes: Uint8Array, changes: readonly Change[]): Uint8Array {
  if (changes.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const change of [...changes].sort((a, b) => a.from - b.from)) {
    pieces.push(bytes.subarray(at, change.from), Buffer.from(change.text));
    at = change.to;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

/** The bytes of an event's data: of its only data line, or of the whole line. Null when there is none, or several. */
function dataOf(bytes: Uint8Array, framing: Framing): Span | null {
  if (framing === 'ndjson') return { from: 0, to: bytes.length };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const lines = [...text.matchAll(/^data:[ ]?([^\r\n]*)/gm)];
  const [line] = lines;
  if (line === undefined || lines.length > 1) return null;
  const from = line.index + line[0].length - (line[1] ?? '').length;
  return { from, to: line.index + line[0].length };
}

/** The event, or undefined (which JSON cannot say) when the bytes are no JSON. */
function parse(json: Uint8Array): StreamEvent {
  try {
    return JSON.parse(textOf(json, 0, json.length)) as StreamEvent;
  } catch {
    return undefined;
  }
}

function isDone(data: Uint8Array): boolean {
  return Buffer.from(data).toString('latin1').trim() === '[DONE]';
}
