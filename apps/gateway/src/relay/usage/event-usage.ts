import type { Fields } from './api.ts';
import { completes, MARKS, type Mark, marksFor } from './apis.ts';
import type { BackgroundReading } from './background.ts';
import type { UsageReading } from './counts.ts';
import { FAILURE_MARKS, hasErrorEvent, isNothing, mayShowFailure, nextMark } from './failure.ts';
import { JsonUsage } from './json-usage.ts';

const LINE_ENDS = /\r\n|\n|\r/;
const EMPTY_LINE = /\r\n\r\n|\n\n|\r\r/;
/** A byte order mark may precede the first line of a stream. */
const PAYLOAD_DATA = /^\ufeff?data: ?/;
/** A line of data that begins an object. */
const OBJECT = /^\ufeff?data:\s*\{/;
const DONE = /^\ufeff?data:[ \t]*\[DONE\][ \t]*$/m;
/** Where the object of nearly every line of data begins. */
const USUAL_START = 'data: '.length;
/** Bytes at the end of a block that contain its last events. */
const END = 4096;

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** Bytes of a line that is parsed whole; of a longer one the members of interest alone are read. */
const LONGEST_PARSED = 16 * 1024;

/** Reads the reports in the events of a stream. Most report nothing, and are skipped without being parsed. */
export class EventUsage {
  readonly #usage: UsageReading;
  readonly #background: BackgroundReading;
  /** What is looked for: all there is, until the first event shows of which API the stream is. */
  #marks: readonly Mark[] | null = null;
  /** Reads a line too long to buffer. */
  #long: JsonUsage | null = null;

  constructor(usage: UsageReading, background: BackgroundReading) {
    this.#usage = usage;
    this.#background = background;
  }

  /** @param block whole lines. */
  read(block: Buffer): void {
    this.#marks ??= this.#recognize(block);
    for (const { bytes, repeats } of this.#marks ?? MARKS) {
      if (repeats) this.#readLast(block, bytes);
      else this.#readEach(block, bytes);
    }
    if (this.#usage.failure === null && mayShowFailure(block)) this.#readFailure(block);
  }

  /** The first event shows of which API the stream is, and which work in the background it is about. */
  #recognize(block: Buffer): readonly Mark[] | null {
    const first = firstPayload(block);
    if (first === null) return null;
    this.#background.read(first);
    return marksFor(first);
  }

  #readFailure(block: Buffer): void {
    if (hasErrorEvent(block)) this.#usage.fail();
    for (const mark of FAILURE_MARKS) {
      for (let at = nextMark(block, mark); at >= 0; at = nextMark(block, mark, at + mark.length)) {
        if (this.#readLine(block, lineStart(block, at), lineEnd(block, at)) === 'block') return;
        if (this.#usage.failure !== null) return;
      }
    }
  }

  /** @param bytes of a line too long to buffer. */
  readPart(bytes: Buffer): void {
    this.#long ??= new JsonUsage(this.#usage, this.#background);
    this.#long.push(bytes);
  }

  /** @param isWhole whether the line has ended: else the stream ended in it. */
  endParts(isWhole: boolean): void {
    this.#long?.end(isWhole);
    this.#long = null;
  }

  #readEach(block: Buffer, mark: Buffer): void {
    for (let at = block.indexOf(mark); at >= 0; ) {
      let next = at + mark.length;
      if (block[at - 1] === QUOTE && !isNothing(block, next)) {
        next = lineEnd(block, at);
        if (this.#readLine(block, lineStart(block, at), next) === 'block') return;
      }
      at = block.indexOf(mark, next);
    }
  }

  #readLast(block: Buffer, mark: Buffer): void {
    for (let at = block.lastIndexOf(mark); at > 0; ) {
      const start = lineStart(block, at);
      if (block[at - 1] === QUOTE && this.#readLine(block, start, lineEnd(block, at)) !== 'nothing') return;
      at = start === 0 ? -1 : block.lastIndexOf(mark, start - 1);
    }
  }

  /** @returns what was read: the line, the whole block because its events have several lines, or nothing. */
  #readLine(block: Buffer, start: number, end: number): 'line' | 'block' | 'nothing' {
    if (end - start > LONGEST_PARSED) {
      this.readPart(block.subarray(start, end));
      this.endParts(true);
      return 'line';
    }
    const line = block.toString('utf8', start, end);
    const payload = payloadOf(line);
    if (payload !== null) {
      this.#take(payload);
      return 'line';
    }
    if (!isData(line)) return 'nothing';
    for (const joined of severalLines(block.toString())) this.#take(joined);
    return 'block';
  }

  #take(payload: Fields): void {
    this.#usage.read(payload);
    this.#background.read(payload);
  }
}

const DATA = Buffer.from('data:');

function firstPayload(block: Buffer): Fields | null {
  const start = block.indexOf(DATA);
  const end = lineEnd(block, Math.max(0, start));
  return start < 0 || end - start > LONGEST_PARSED ? null : payloadOf(block.toString('utf8', start, end));
}

/** Events that may complete an answer before the last one: others may follow, such as one that reports the time. */
const LAST_EVENTS = 3;

/** Whether the last event of an answer is among these (relay-29). @param payloads of the block */
export function endsAnswer(block: Buffer, payloads: readonly Fields[]): boolean {
  return isDone(block) || payloads.slice(-LAST_EVENTS).some(completes);
}

const isBreak = (byte: number | undefined): boolean => byte === LF || byte === CR;

function lineStart(block: Buffer, at: number): number {
  let start = at;
  while (start > 0 && !isBreak(block[start - 1])) start -= 1;
  return start;
}

function lineEnd(block: Buffer, at: number): number {
  let end = at;
  while (end < block.length && !isBreak(block[end])) end += 1;
  return end;
}

/** The parsed payloads of the events of a block of lines; what is no JSON object is left out. */
export function payloadsOf(block: Buffer): readonly Fields[] {
  const text = block.toString();
  const payloads: Fields[] = [];
  let objects = 0;
  for (const line of linesOf(text)) {
    if (!line.startsWith('data:') && !OBJECT.test(line)) continue;
    const payload = payloadOf(line);
    if (payload !== null) payloads.push(payload);
    else if (OBJECT.test(line)) objects += 1;
  }
  // Lines that begin an object but contain no complete one: events with several lines of data.
  return payloads.length > 0 || objects === 0 ? payloads : severalLines(text);
}

function linesOf(text: string): readonly string[] {
  return text.includes('\r') ? text.split(LINE_ENDS) : text.split('\n');
}

/** The payload of a line of data; null where it is no JSON object. */
function payloadOf(line: string): Fields | null {
  const start = line.indexOf('{');
  if (start < 0 || (start !== USUAL_START && !OBJECT.test(line))) return null; // `[DONE]`, for one
  try {
    return JSON.parse(line.slice(start)) as Fields;
  } catch {
    return null; // a provider's own text
  }
}

/** The payloads of events whose JSON spans several lines of data (WHATWG, server-sent events). */
function severalLines(text: string): readonly Fields[] {
  const events = text.split(EMPTY_LINE).map((event) => event.split(LINE_ENDS));
  const joined = events.map((lines) => lines.filter(isData).map((line) => line.replace(PAYLOAD_DATA, '')));
  return joined.map((lines) => payloadOf(`data: ${lines.join('\n')}`)).filter((payload) => payload !== null);
}

function isData(line: string): boolean {
  return PAYLOAD_DATA.test(line);
}

/** Whether the end of a stream of chat completions is among the last lines of a block. */
function isDone(block: Buffer): boolean {
  return DONE.test(block.toString('utf8', Math.max(0, block.length - END)));
}
