import { type AnswerHead, ProtocolError, parseHead } from './answer-head.ts';
import { ChunkReader } from './chunks.ts';

/** Bytes of all headers of an answer: as many as a caller's request may have. */
const MOST_HEAD_BYTES = 64 * 1024;

const BLANK_LINE = Buffer.from('\r\n\r\n');
const BEGINNING = 'HTTP/1.';
const CR = 0x0d;
const LF = 0x0a;
/** Ends of lines that no head has. */
const NOT_OF_A_HEAD = /[^\r]\n|\r[^\n]/;

/** Takes what is read. */
export interface AnswerSink {
  interim(head: AnswerHead): void;
  head(head: AnswerHead): void;
  /** @param bytes its own to keep. */
  data(bytes: Buffer): void;
  /** The answer is whole. */
  end(): void;
}

/** Reads one answer after the other from the bytes of a connection, as strictly as llhttp. */
export class AnswerReader {
  readonly #sink: AnswerSink;
  #isToHead = false;
  /** Of the answer that is being read; null until it is whole. */
  #head: AnswerHead | null = null;
  #chunks: ChunkReader | null = null;
  /** Remaining bytes of the body. */
  #left = 0;
  /** What can be read only with what follows. */
  #rest: Buffer | null = null;
  /** Whether an answer is due. */
  #isDue = false;

  constructor(sink: AnswerSink) {
    this.#sink = sink;
  }

  /** A request has left. */
  expect(isToHead: boolean): void {
    this.#isToHead = isToHead;
    this.#isDue = true;
    this.#head = null;
  }

  /** The answer is no longer needed. */
  stop(): void {
    this.#isDue = false;
  }

  /**
   * @param bytes the reader's until it returns.
   * @returns whether they all belong to the answer.
   * @throws ProtocolError
   */
  read(bytes: Buffer): boolean {
    const all = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes]);
    const before = this.#rest?.length ?? 0;
    this.#rest = null;
    let at = 0;
    while (this.#isDue && this.#head === null) {
      const next = this.#readHead(all, at, before);
      if (next < 0) return true;
      at = next;
    }
    return this.#isDue ? this.#readBody(all, at) : at === all.length;
  }

  /** The provider sends no more. @returns whether that ended the answer. */
  close(): boolean {
    if (!this.#isDue || this.#head?.framing !== 'connection') return false;
    this.#end();
    return true;
  }

  /** @returns the end of the head; -1 where it has not arrived. */
  #readHead(bytes: Buffer, from: number, before: number): number {
    let begin = from;
    while (bytes[begin] === CR || bytes[begin] === LF) begin += 1; // RFC 9112 section 2.2, and llhttp
    const end = bytes.indexOf(BLANK_LINE, Math.max(begin, before - BLANK_LINE.length));
    if ((end < 0 ? bytes.length : end) - begin > MOST_HEAD_BYTES) throw new ProtocolError('headers too long');
    if (end < 0) {
      checkCutHead(bytes, begin, before);
      this.#rest = Buffer.from(bytes.subarray(begin));
      return -1;
    }
    const head = parseHead(bytes.toString('latin1', begin, end), this.#isToHead);
    const next = end + BLANK_LINE.length;
    if (head.status < 200) {
      if (head.status === 101) throw new ProtocolError('it answered 101 Switching Protocols');
      this.#sink.interim(head);
      return next;
    }
    this.#head = head;
    this.#left = head.length;
    this.#chunks = head.framing === 'chunked' ? new ChunkReader() : null;
    this.#sink.head(head);
    return next;
  }

  #readBody(bytes: Buffer, from: number): boolean {
    if (this.#chunks !== null) return this.#readChunks(this.#chunks, bytes, from);
    const framing = this.#head?.framing;
    if (framing === 'connection') {
      if (from < bytes.length) this.#sink.data(Buffer.from(bytes.subarray(from)));
      return true;
    }
    const to = framing === 'none' ? from : Math.min(bytes.length, from + this.#left);
    if (framing === 'length') {
      this.#left -= to - from;
      if (to > from) this.#sink.data(Buffer.from(bytes.subarray(from, to)));
      if (this.#left > 0) return true;
    }
    if (this.#isDue) this.#end();
    return to === bytes.length;
  }

  #readChunks(chunks: ChunkReader, bytes: Buffer, from: number): boolean {
    const to = chunks.read(bytes, from);
    if (to > from) this.#sink.data(Buffer.from(bytes.subarray(from, to)));
    if (!this.#isDue) return true;
    if (chunks.fault !== null) throw chunks.fault;
    if (chunks.isEnded) {
      this.#end();
      return chunks.at === bytes.length;
    }
    if (chunks.at < bytes.length) this.#rest = Buffer.from(bytes.subarray(chunks.at));
    return true;
  }

  #end(): void {
    this.#isDue = false;
    this.#sink.end();
  }
}

/** Data that cannot become a head is refused immediately: its provider may never send more. */
function checkCutHead(bytes: Buffer, begin: number, before: number): void {
  const beginning = bytes.toString('latin1', begin, begin + BEGINNING.length);
  if (!BEGINNING.startsWith(beginning)) throw new ProtocolError('it is not HTTP/1.1');
  if (NOT_OF_A_HEAD.test(bytes.toString('latin1', Math.max(begin, before - 1))))
    throw new ProtocolError('invalid head');
}
