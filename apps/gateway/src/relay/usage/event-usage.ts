import { type ReportedCounts, UsageReading } from './counts.ts';

/** Without its first quote: quotes stand everywhere in an event, and a search for one of them stops at each. */
const NEEDLE = Buffer.from('usage"');
/** Stands in the events of llama.cpp's own form, which tell their counts without a `usage`. */
const OWN = Buffer.from('"tokens_predicted":');
const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const LETTER_N = 0x6e;

/** Longest line that is read; a longer one passes unread, so that memory stays flat. */
const LONGEST_LINE = 1024 * 1024;

/** What a sink of whole lines gets: text of one or more of them, without the unfinished last one. */
export type Lines = (block: Buffer) => void;

/** Cuts a stream into blocks of whole lines; a line past the bound is left out. */
export class LineBlocks {
  readonly #sink: Lines;
  #rest: Buffer[] = [];
  #restLength = 0;
  #skipping = false;

  constructor(sink: Lines) {
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    const end = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR)) + 1;
    if (end === 0) {
      this.#keep(chunk);
      return;
    }
    const start = this.#skipping ? firstBreak(chunk) + 1 : 0;
    this.#skipping = false;
    const block = chunk.subarray(start, end);
    this.#sink(this.#restLength === 0 ? block : Buffer.concat([...this.#rest, block]));
    this.#rest = [];
    this.#restLength = 0;
    if (end < chunk.length) this.#keep(chunk.subarray(end));
  }

  /** The last line, where the stream ended without a break after it. */
  end(): void {
    if (this.#restLength > 0) this.#sink(Buffer.concat(this.#rest));
    this.#rest = [];
    this.#restLength = 0;
  }

  #keep(part: Buffer): void {
    if (this.#skipping) return;
    this.#rest.push(part);
    this.#restLength += part.length;
    if (this.#restLength <= LONGEST_LINE) return;
    this.#rest = [];
    this.#restLength = 0;
    this.#skipping = true;
  }
}

function firstBreak(chunk: Buffer): number {
  const [lf, cr] = [chunk.indexOf(LF), chunk.indexOf(CR)];
  if (lf === -1 || cr === -1) return Math.max(lf, cr);
  return Math.min(lf, cr);
}

const LINE_ENDS = /\r\n|\n|\r/;
const EMPTY_LINE = /\r\n\r\n|\n\n|\r\r/;
/** A byte order mark may stand before the first line of a stream. */
const DATA = /^\ufeff?data: ?/;
/** A line of data that begins an object. */
const OBJECT = /^\ufeff?data:\s*\{/;

type Payload = Readonly<Record<string, unknown>>;

/** The parsed payloads of the events of a block; what is no JSON object is left out. */
export function payloadsOf(block: Buffer): readonly Payload[] {
  const text = block.toString();
  const lines = text.split(LINE_ENDS).filter((line) => OBJECT.test(line));
  const payloads = lines.map(payloadOf).filter((payload) => payload !== null);
  // Lines that begin an object, none of which is one: events of several lines of data.
  return payloads.length > 0 || lines.length === 0 ? payloads : severalLines(text);
}

/** The payloads of events whose JSON stands in several lines of data (WHATWG, server-sent events). */
function severalLines(text: string): readonly Payload[] {
  const events = text.split(EMPTY_LINE).map((event) => event.split(LINE_ENDS));
  const joined = events.map((lines) => lines.filter((line) => DATA.test(line)).map((line) => line.replace(DATA, '')));
  return joined.map((lines) => payloadOf(`data: ${lines.join('\n')}`)).filter((payload) => payload !== null);
}

function payloadOf(line: string): Payload | null {
  if (!OBJECT.test(line)) return null; // `[DONE]`, for one
  try {
    return JSON.parse(line.slice(line.indexOf('{'))) as Payload;
  } catch {
    return null; // a provider's own text
  }
}

/** Members of a payload that may hold its `usage`: of a message, a response, and Groq's own. */
const HOLDERS = ['message', 'response', 'x_groq'];

/** The last usage an event stream reports: at the top of a payload, or of one of its holders (decisions §8). */
export class EventUsage {
  readonly #usage = new UsageReading();

  get reported(): ReportedCounts {
    return this.#usage.reported;
  }

  /** @param block whole lines. Most hold no usage, and are passed over without being parsed. */
  push(block: Buffer): void {
    if (block.includes(OWN)) for (const payload of payloadsOf(block)) this.#usage.readOwn(payload);
    for (let at = block.indexOf(NEEDLE); at >= 0; ) {
      let next = at + NEEDLE.length;
      if (block[at - 1] === QUOTE && !isNull(block, next)) {
        next = lineEnd(block, at);
        const line = block.toString('utf8', lineStart(block, at), next);
        const payload = payloadOf(line);
        if (payload !== null) this.#read(payload);
        else if (DATA.test(line)) {
          for (const joined of severalLines(block.toString())) this.#read(joined);
          return;
        }
      }
      at = block.indexOf(NEEDLE, next);
    }
  }

  #read(payload: Payload): void {
    for (const holder of [payload, ...HOLDERS.map((name) => payload[name])]) {
      if (typeof holder === 'object' && holder !== null) this.#usage.read((holder as Payload)['usage']);
    }
  }
}

/** Whether `: null` stands there: asked for usage, some services say so in every event but the last. */
function isNull(block: Buffer, from: number): boolean {
  let at = from;
  while (block[at] === 0x20 || block[at] === COLON) at += 1;
  return block[at] === LETTER_N;
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
