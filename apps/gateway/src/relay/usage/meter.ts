import { MemberValues } from '@gateway/json';
import type { Tokenizer } from '../../store/tokenizer.ts';
import { atOnce } from '../request/wide-text.ts';
import { promptText, readGeneratedText } from './apis.ts';
import { BackgroundReading, idInPath, type Sighting } from './background.ts';
import { type Counts, NO_TOKENS, type ReportedCounts, UsageReading } from './counts.ts';
import { EventUsage, endsAnswer, payloadsOf } from './event-usage.ts';
import { JsonUsage, parseJson, plainTextOf, readMembers, readPlain } from './json-usage.ts';

const LF = 0x0a;
const CR = 0x0d;

/** Longest line that is buffered until it is complete: it is then read in one go. */
const LONGEST_LINE = 64 * 1024;

/** What becomes of the lines of a stream. */
interface LineSink {
  /** One or more complete lines; the last of a stream may lack its line break. */
  block(lines: Buffer): void;
  /** A part of a line too long to buffer. */
  part(bytes: Buffer): void;
  /** That line has ended. @param isWhole else the stream ended in it. */
  partsEnd(isWhole: boolean): void;
}

/** Cuts a stream into blocks of whole lines. */
export class LineBlocks {
  readonly #sink: LineSink;
  #rest: Buffer[] = [];
  #restLength = 0;
  #isLong = false;

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  push(chunk: Buffer): void {
    const end = Math.max(chunk.lastIndexOf(LF), chunk.lastIndexOf(CR)) + 1;
    if (end === 0) {
      this.#keep(chunk);
      return;
    }
    const start = this.#isLong ? this.#endLong(chunk) : 0;
    const block = chunk.subarray(start, end);
    if (block.length > 0) this.#sink.block(this.#restLength === 0 ? block : Buffer.concat([...this.#rest, block]));
    this.#rest = [];
    this.#restLength = 0;
    if (end < chunk.length) this.#keep(chunk.subarray(end));
  }

  /** The last line, where the stream ended without a line break. */
  end(): void {
    if (this.#isLong) this.#sink.partsEnd(false);
    else if (this.#restLength > 0) this.#sink.block(Buffer.concat(this.#rest));
    this.#isLong = false;
    this.#rest = [];
    this.#restLength = 0;
  }

  #keep(part: Buffer): void {
    if (this.#isLong) {
      this.#sink.part(part);
      return;
    }
    this.#rest.push(part);
    this.#restLength += part.length;
    if (this.#restLength <= LONGEST_LINE) return;
    for (const one of this.#rest) this.#sink.part(one);
    this.#rest = [];
    this.#restLength = 0;
    this.#isLong = true;
  }

  /** @returns the offset after the break that ends the long line. */
  #endLong(chunk: Buffer): number {
    const after = firstBreak(chunk) + 1;
    this.#sink.part(chunk.subarray(0, after));
    this.#sink.partsEnd(true);
    this.#isLong = false;
    return after;
  }
}

function firstBreak(chunk: Buffer): number {
  const [lf, cr] = [chunk.indexOf(LF), chunk.indexOf(CR)];
  if (lf === -1 || cr === -1) return Math.max(lf, cr);
  return Math.min(lf, cr);
}

/** Bytes of a stream that are scanned together: to search for something costs as much in an event as in a hundred. */
const BATCH = 32 * 1024;

/** Bytes of a stream that are buffered unchanged, in case it reports no usage. */
const KEPT_BYTES = 32 * 1024;

/** Characters of generated text that are buffered; the rest is counted in proportion. */
const KEPT_TEXT = 1024 * 1024;

/** Bytes of a plain answer that are buffered; the rest is counted in proportion, where it is more text. */
const KEPT_PLAIN = 1024 * 1024;

/** Bytes of a plain answer that are read without a pause. */
const SHORT_PLAIN = 16 * 1024;
/** Bytes of what was buffered of a plain answer that are read with each of its next parts. */
const CATCH_UP = 16 * 1024;

/** Counts the tokens of a text and generates nothing: Anthropic's, Gemini's, OpenAI's, and those of vLLM and llama.cpp. */
const COUNTING = /(?:\/count_tokens|:countTokens|\/responses\/input_tokens|\/(?:de)?tokenize)$/;
/** Ends work that another call started, and starts none. */
const CANCELLING = /[/:]cancel\/?$/;
const EVENTS = /^\ufeff?(?:data|event|id|retry)?:/;
const JSON_BEGINS = /^(?:\xef\xbb\xbf)?\s*[{[]/;
const BRACE = 0x7b;
/** Bytes in which a stream shows whether it is one of events. */
const BEGINNING = 16;

/** The consumption of a call, and its source. */
export interface Metered {
  readonly counts: Counts;
  readonly source: 'reported' | 'none';
}

/** Reads the usage of one call while its answer passes, and keeps what an estimate would need, within bounds. */
export class Meter {
  readonly #request: Buffer | null;
  readonly #path: string;
  readonly #usage = new UsageReading();
  readonly #background = new BackgroundReading();
  /** Else the call makes no model speak: its answer may show work that ended, and is not billed to it. */
  readonly #isMetered: boolean;
  /** Whether nothing is read of the answer. */
  readonly #isIgnored: boolean;
  #generates = true;
  #status: number | null = null;
  #firstByteAt: number | null = null;
  /** Cuts a stream of events into lines. */
  #lines: LineBlocks | null = null;
  #batch: Buffer[] = [];
  #batchLength = 0;
  /** Reads a plain answer that is too long to buffer. */
  #json: JsonUsage | null = null;
  /** Its parts that are not read yet. */
  #unread: Buffer[] = [];
  /** Complete lines of events whose text is not read yet, or a plain answer. */
  #kept: Buffer[] = [];
  #keptLength = 0;
  #length = 0;
  /** The reading that is left once the answer has ended; it may be begun. */
  #left: Generator<undefined, void> | null = null;
  #isRead = false;
  #mayBeJson: boolean | null = null;
  #text = '';
  #textLength = 0;

  /**
   * @param method of the request: usage is read from answers to POST only (relay-27).
   * @param path of the request after the endpoint's name, with its query.
   * @param request body as sent, for an estimate of its tokens; null where it was not buffered.
   */
  constructor(method: string, path: string, request: Buffer | null) {
    this.#request = request;
    this.#path = path.replace(/[?#].*$/s, '');
    this.#isIgnored = COUNTING.test(this.#path);
    this.#isMetered = method === 'POST' && !this.#isIgnored && !CANCELLING.test(this.#path);
  }

  /** Whether a caller who got everything so far has the complete answer, even after an abort (relay-29). */
  isWhole(): boolean {
    this.#readRest();
    if (this.#lines !== null) this.#compact();
    return this.#usage.isWhole;
  }

  /** The reading that is left of a long answer that has ended; null for none. Without it, the next question takes as long. */
  rest(): Generator<undefined, void> | null {
    const isLong = this.#lines === null && (this.#unread.length > 0 || this.#length > SHORT_PLAIN);
    if (this.#isIgnored || this.#isRead || !isLong) return null;
    this.#left ??= this.#reading();
    return this.#left;
  }

  /** Of the provider's answer; null until it arrives. */
  get status(): number | null {
    return this.#status;
  }

  /** When the first byte of the answer's body arrived, on the clock of `performance.now()`; null until then. */
  get firstByteAt(): number | null {
    return this.#firstByteAt;
  }

  /** A refusal of the engine is an answer without generated text: it counts no tokens, unless it reports some. */
  head(status: number, eventStream: boolean): void {
    this.#status = status;
    if (status < 200 || status > 299) this.#generates = false;
    if (!this.#isIgnored && eventStream) this.#readEvents();
  }

  push(chunk: Buffer): void {
    if (this.#firstByteAt === null && chunk.length > 0) this.#firstByteAt = performance.now();
    if (this.#isIgnored) return;
    if (this.#length === 0 && this.#lines === null && beginsEvents(chunk)) this.#readEvents();
    this.#length += chunk.length;
    if (this.#lines === null) return this.#pushPlain(chunk);
    this.#batch.push(chunk);
    this.#batchLength += chunk.length;
    if (this.#batchLength >= BATCH) this.#readBatch();
  }

  /** What an answer that has ended consumed; null where it must be estimated. */
  metered(): Metered | null {
    this.#readRest();
    if (!this.#isMetered || this.#isAboutWork) return NOTHING;
    const { input, output, cached, written } = this.#usage.reported;
    if (this.hasFailed) {
      if ((input ?? 0) + (output ?? 0) === 0) return NOTHING;
      return { counts: { input: input ?? 0, cached, written, output: output ?? 0 }, source: 'reported' };
    }
    if (input !== null) return { counts: { input, cached, written, output: output ?? 0 }, source: 'reported' };
    return (this.#generates && !this.#startsWork) || output !== null ? null : NOTHING;
  }

  /** Whether the answer contains an error instead of its rest, although its status is one of success. */
  get hasFailed(): boolean {
    return this.failure !== null;
  }

  /** The type and code of that error, perhaps empty; null where there is none. An object of work that failed is an answer. */
  get failure(): string | null {
    this.#readRest();
    const isAnswer = !this.#generates || (this.#lines === null && !this.#isMetered && this.#background.id !== null);
    return isAnswer ? null : this.#usage.failure;
  }

  /**
   * Work in the background that the answer shows: that this call started it, or how it ended.
   * @param isCut whether the answer did not end: a part of a file of results shows no sum
   */
  background(isCut: boolean): readonly Sighting[] {
    this.#readRest();
    if (!this.#generates || this.#isIgnored || this.#status === PARTIAL) return [];
    if (!this.#isMetered || this.#isAboutWork)
      return isCut && this.#lines === null ? [] : this.#background.seen(this.#path);
    const isFinal = this.#usage.reported.input !== null && !this.#background.isPending;
    return this.#startsWork ? this.#background.started(isFinal) : [];
  }

  /** Whether a POST is about work that exists, and its answer shows it. */
  get #isAboutWork(): boolean {
    const { id } = this.#background;
    return id !== null && id === idInPath(this.#path);
  }

  /** Whether the work continues after the answer. The first events of every stream say that the response is in progress. */
  get #startsWork(): boolean {
    const { isPending, isBackground, id } = this.#background;
    if (isBackground) return true;
    return this.#lines === null ? isPending : id !== null && isPending && wantsBackground(this.#request);
  }

  /** An upper bound of `estimate`, from lengths alone: immediate for any length. */
  rough(delivered = true): Counts {
    return this.#estimated(tokensOf(this.#request?.length ?? 0), delivered ? this.#roughOutput() : 0);
  }

  /** Counts here what the engine did not report, or could not before it was cut off. @param delivered whether the caller got it. */
  async estimate(tokenizer: Tokenizer, delivered = true): Promise<Counts> {
    const { input } = this.#reported;
    const asked = input === null && this.#generates ? await tokenizer(promptOf(this.#request)) : 0;
    return this.#estimated(asked, delivered ? await this.#output(tokenizer) : 0);
  }

  /** What the engine reported before it was cut off is better than any estimate. */
  #estimated(asked: number, answered: number): Counts {
    if (!this.#isMetered) return NO_TOKENS;
    const { input, cached, written, output } = this.#reported;
    if (!this.#generates) return { input: input ?? 0, cached, written, output: output ?? 0 };
    return { input: input ?? asked, cached, written, output: Math.max(output ?? 0, answered) };
  }

  get #reported(): ReportedCounts {
    this.#readRest();
    return this.#usage.reported;
  }

  /** A plain answer is read when it has ended, or in transit once it is too long to buffer. */
  #pushPlain(chunk: Buffer): void {
    if (!this.#isMetered && !this.#isJson(chunk)) return;
    if (this.#json === null && this.#keptLength + chunk.length > KEPT_PLAIN) {
      this.#json = new JsonUsage(this.#usage, this.#background);
      this.#unread = [...this.#kept];
    }
    if (this.#json !== null) {
      this.#unread.push(chunk);
      atOnce(this.#readUnread(chunk.length + CATCH_UP));
    }
    if (this.#keptLength < KEPT_PLAIN) this.#keep(chunk);
  }

  /** Whether an answer that is not metered may show work: a file of another kind is not read. */
  #isJson(chunk: Buffer): boolean {
    this.#mayBeJson ??= JSON_BEGINS.test(chunk.toString('latin1', 0, BEGINNING));
    return this.#mayBeJson;
  }

  #readEvents(): void {
    const events = new EventUsage(this.#usage, this.#background);
    this.#lines = new LineBlocks({
      block: (lines) => {
        events.read(lines);
        this.#keep(lines);
        if (this.#keptLength > KEPT_BYTES) this.#compact();
      },
      part: (bytes) => events.readPart(bytes),
      partsEnd: (isWhole) => events.endParts(isWhole),
    });
  }

  #readBatch(): void {
    const [first, ...more] = this.#batch;
    if (first !== undefined) this.#lines?.push(more.length === 0 ? first : Buffer.concat(this.#batch));
    this.#batch = [];
    this.#batchLength = 0;
  }

  /** @param most bytes, about. */
  *#readUnread(most: number): Generator<undefined, void> {
    for (let read = 0; read < most; ) {
      const part = this.#unread.shift();
      if (part === undefined) return;
      if (read > 0) yield;
      this.#json?.push(part);
      read += part.length;
    }
  }

  #readRest(): void {
    if (this.#isRead) return;
    this.#left ??= this.#reading();
    atOnce(this.#left);
  }

  /** The answer has ended. */
  *#reading(): Generator<undefined, void> {
    this.#readBatch();
    this.#lines?.end();
    if (this.#json !== null) {
      yield* this.#readUnread(Number.POSITIVE_INFINITY);
      this.#json.end(true);
    } else if (this.#lines === null && !this.#isIgnored) {
      const answer = this.#plain();
      const id = idInPath(this.#path);
      const mayBeWork = !this.#isMetered || (id !== null && answer.indexOf(`"${id}"`) >= 0);
      yield* (mayBeWork ? readMembers : readPlain)(answer, this.#usage, this.#background);
    }
    this.#isRead = true;
  }

  /** The buffered part of a plain answer. */
  #plain(): Buffer {
    const [first, ...more] = this.#kept;
    return first !== undefined && more.length === 0 ? first : Buffer.concat(this.#kept);
  }

  #roughOutput(): number {
    if (this.#lines === null) return tokensOf(this.#length);
    this.#compact();
    return tokensOf(this.#textLength);
  }

  async #output(tokenizer: Tokenizer): Promise<number> {
    if (!this.#generates) return 0;
    return this.#lines === null ? this.#estimatePlain(tokenizer) : this.#estimateEvents(tokenizer);
  }

  async #estimatePlain(tokenizer: Tokenizer): Promise<number> {
    const { text, goesOn } = plainTextOf(this.#plain());
    const tokens = await tokenizer(text);
    return goesOn && this.#keptLength < this.#length ? Math.ceil((tokens * this.#length) / this.#keptLength) : tokens;
  }

  async #estimateEvents(tokenizer: Tokenizer): Promise<number> {
    this.#compact();
    const tokens = await tokenizer(this.#text);
    return this.#text.length === this.#textLength ? tokens : Math.ceil((tokens * this.#textLength) / this.#text.length);
  }

  #keep(part: Buffer): void {
    this.#kept.push(part);
    this.#keptLength += part.length;
  }

  /** Events are some fifty times longer than the text they carry: only the text of a long stream is buffered. */
  #compact(): void {
    if (this.#keptLength === 0) return;
    const events = Buffer.concat(this.#kept);
    const payloads = payloadsOf(events);
    if (endsAnswer(events, payloads)) this.#usage.end();
    const text = this.#generates ? payloads.map(readGeneratedText).join('') : '';
    this.#kept = [];
    this.#keptLength = 0;
    this.#textLength += text.length;
    if (this.#text.length < KEPT_TEXT) this.#text += text.slice(0, KEPT_TEXT - this.#text.length);
  }
}

/** The status of a part of a file. */
const PARTIAL = 206;

const NOTHING: Metered = { counts: NO_TOKENS, source: 'none' };

const BACKGROUND = Buffer.from('background');

/** Whether a request asks for a response in the background. */
function wantsBackground(request: Buffer | null): boolean {
  if (request === null || request.indexOf(BACKGROUND) < 0) return false;
  let wants = false;
  const members = new MemberValues([['background']], 16, (_path, json) => {
    wants = json === 'true';
  });
  members.push(request);
  members.end();
  return wants;
}

/** An event stream may lack its content type. */
function beginsEvents(chunk: Buffer): boolean {
  return chunk[0] !== BRACE && EVENTS.test(chunk.toString('utf8', 0, BEGINNING));
}

/** The model's input. A body that only tolerant parsers read is counted as written. */
function promptOf(request: Buffer | null): string {
  const text = request?.toString() ?? '';
  const json = parseJson(text);
  return json === undefined && /^\ufeff?\s*\{/.test(text) ? text : promptText(json);
}

/** For a text of this length: four characters a token fits most languages and tokenizers. */
const tokensOf = (length: number): number => Math.ceil(length / 4);
