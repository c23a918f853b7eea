import type { Tokenizer } from '../../usage/tokenizer.ts';
import { type Counts, NOTHING_REPORTED, type ReportedCounts, wholeCounts } from './counts.ts';
import { EventUsage, LineBlocks, payloadsOf } from './event-usage.ts';
import { generatedText, promptText } from './generated-text.ts';
import { JsonUsage } from './json-usage.ts';
import { parsedJson, plainTextOf } from './plain-text.ts';

/** Bytes of an answer that are kept as they came, for the case that it reports no usage. */
const KEPT_BYTES = 64 * 1024;

/** Characters of generated text that are kept; what comes beyond is counted in proportion. */
const KEPT_TEXT = 1024 * 1024;

/** Bytes of a plain answer that are kept; what comes beyond is counted in proportion, where it is more text. */
const KEPT_PLAIN = 1024 * 1024;

/** HTTP/2 takes any word for a method, and some engines any spelling of this one. */
const BODILY = /^(?:POST|PUT|PATCH)$/i;

/** Reads the usage of one call while its answer passes, and keeps what an estimate would need, within bounds. */
export class Meter {
  readonly #request: Buffer | null;
  #plain: JsonUsage | null = null;
  #events: EventUsage | null = null;
  #lines: LineBlocks | null = null;
  #kept: Buffer[] = [];
  #keptLength = 0;
  #length = 0;
  #text = '';
  #textLength = 0;
  #generates = false;

  /**
   * @param method of the request: those that carry a body make a model speak, and any other that came with one.
   * @param request body as it left, for an estimate of its tokens; null where it was not held.
   */
  constructor(method: string, request: Buffer | null) {
    this.#request = request;
    this.#generates = BODILY.test(method) || request === null || request.length > 0;
  }

  /** A refusal of the provider is an answer, yet nothing was generated: it counts no tokens, unless it says so itself. */
  head(status: number, eventStream: boolean): void {
    if (status < 200 || status > 299) this.#generates = false;
    if (eventStream) {
      this.#events = new EventUsage();
      this.#lines = new LineBlocks((block) => this.#block(block));
    } else this.#plain = new JsonUsage();
  }

  push(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#lines !== null) this.#lines.push(chunk);
    else {
      this.#plain?.push(chunk);
      if (this.#generates && this.#keptLength < KEPT_PLAIN) this.#keep(chunk);
    }
  }

  /** What the provider reported, once the answer is whole. */
  reported(): Counts | null {
    this.#lines?.end();
    const counts = wholeCounts(this.#reported);
    return counts ?? (this.#generates ? null : { input: 0, output: 0 });
  }

  /** What `estimate` may come to, by lengths alone: at once, whatever the length. */
  rough(delivered = true): Counts {
    if (!this.#generates) return { input: 0, output: 0 };
    const input = tokensOf(this.#request?.length ?? 0);
    if (!delivered) return { input, output: 0 };
    this.#lines?.end();
    if (this.#lines === null) return { input, output: tokensOf(this.#length) };
    this.#compact();
    return { input, output: tokensOf(this.#textLength) };
  }

  /** Counts here what the provider did not, or could not before it was cut off. @param delivered whether the caller got it. */
  async estimate(tokenizer: Tokenizer, delivered = true): Promise<Counts> {
    if (!this.#generates) return { input: 0, output: 0 };
    const input = await tokenizer(promptText(parsedJson(this.#request?.toString() ?? '')));
    if (!delivered) return { input, output: 0 };
    this.#lines?.end();
    return {
      input,
      output: await (this.#lines === null ? this.#estimatePlain(tokenizer) : this.#estimateEvents(tokenizer)),
    };
  }

  get #reported(): ReportedCounts {
    return this.#plain?.reported ?? this.#events?.reported ?? NOTHING_REPORTED;
  }

  async #estimatePlain(tokenizer: Tokenizer): Promise<number> {
    const { text, goesOn } = plainTextOf(Buffer.concat(this.#kept));
    const tokens = await tokenizer(text);
    return goesOn && this.#keptLength < this.#length ? Math.ceil((tokens * this.#length) / this.#keptLength) : tokens;
  }

  async #estimateEvents(tokenizer: Tokenizer): Promise<number> {
    this.#compact();
    const tokens = await tokenizer(this.#text);
    return this.#text.length === this.#textLength ? tokens : Math.ceil((tokens * this.#textLength) / this.#text.length);
  }

  #block(block: Buffer): void {
    this.#events?.push(block);
    if (!this.#generates) return;
    this.#keep(block);
    if (this.#keptLength > KEPT_BYTES) this.#compact();
  }

  #keep(part: Buffer): void {
    this.#kept.push(part);
    this.#keptLength += part.length;
  }

  /** Events are some fifty times longer than the text they carry: only that is kept of a long stream. */
  #compact(): void {
    const text = payloadsOf(Buffer.concat(this.#kept)).map(generatedText).join('');
    this.#kept = [];
    this.#keptLength = 0;
    this.#textLength += text.length;
    if (this.#text.length < KEPT_TEXT) this.#text += text.slice(0, KEPT_TEXT - this.#text.length);
  }
}

/** Of a text so long: four characters a token are what most tongues and tokenizers come near. */
const tokensOf = (length: number): number => Math.ceil(length / 4);
