import { type AnswerHead, checkTrailer, ProtocolError, parseHead } from './answer-head.ts';

const SEMICOLON = 0x3b;
const CRLF = Buffer.from('\r\n');

/** Bytes of the line before a chunk: a longer one is all extensions. */
const MOST_LINE_BYTES = 16 * 1024;
const MOST_TRAILER_BYTES = 64 * 1024;

/** Extensions, without blanks between them (RFC 9112 section 7.1.1). */
const EXTENSIONS =
  /^(?:;[!#$%&'*+.^_`|~\w-]+(?:=(?:[!#$%&'*+.^_`|~\w-]+|"(?:[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)*$/;

/** Values of hexadecimal digits; 255: not one. */
const DIGITS = digitValues();

/** Reads a chunked body (RFC 9112 section 7.1). */
export class ChunkReader {
  /** Where reading ended: pass the rest again, with more data. */
  at = 0;
  isEnded = false;
  /** The fault after the payload; null for none. */
  fault: ProtocolError | null = null;
  #state: 'size' | 'data' | 'end of data' | 'trailers' = 'size';
  #left = 0;
  #trailerBytes = 0;

  /**
   * Moves the payload of all chunks to `from`, in one piece.
   * @returns the end of the payload.
   */
  read(bytes: Buffer, from: number): number {
    let out = from;
    this.at = from;
    try {
      while (!this.isEnded && this.at < bytes.length) {
        if (this.#state === 'data') out = this.#move(bytes, out);
        else if (!this.#readLine(bytes)) break;
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.fault = error;
    }
    return out;
  }

  #move(bytes: Buffer, out: number): number {
    const size = Math.min(this.#left, bytes.length - this.at);
    if (out !== this.at) bytes.copyWithin(out, this.at, this.at + size);
    this.at += size;
    this.#left -= size;
    if (this.#left === 0) this.#state = 'end of data';
    return out + size;
  }

  /** @returns false where the rest of the line has not arrived. */
  #readLine(bytes: Buffer): boolean {
    if (this.#state === 'size') return this.#readSize(bytes);
    return this.#state === 'trailers' ? this.#readTrailer(bytes) : this.#readEnd(bytes);
  }

  #readSize(bytes: Buffer): boolean {
    let at = this.at;
    let size = 0;
    for (let digit = DIGITS[bytes[at] as number] as number; digit < 16; ) {
      size = size * 16 + digit;
      if (size > Number.MAX_SAFE_INTEGER) throw new ProtocolError('chunk too large');
      at += 1;
      digit = at < bytes.length ? (DIGITS[bytes[at] as number] as number) : 255;
    }
    if (at === this.at) throw new ProtocolError('invalid chunk size');
    const next = lineEnd(bytes, at, this.at);
    if (next < 0) return false;
    this.at = next;
    this.#left = size;
    this.#state = size === 0 ? 'trailers' : 'data';
    return true;
  }

  #readEnd(bytes: Buffer): boolean {
    if (bytes[this.at] !== CR) throw new ProtocolError('invalid end of a chunk');
    if (this.at + 1 === bytes.length) return false;
    if (bytes[this.at + 1] !== LF) throw new ProtocolError('invalid end of a chunk');
    this.at += 2;
    this.#state = 'size';
    return true;
  }

  #readTrailer(bytes: Buffer): boolean {
    const end = bytes.indexOf(CRLF, this.at);
    const size = (end < 0 ? bytes.length : end) - this.at;
    if (this.#trailerBytes + size > MOST_TRAILER_BYTES) throw new ProtocolError('trailers too long');
    if (end < 0) return false;
    if (size === 0) this.isEnded = true;
    else checkTrailer(bytes.toString('latin1', this.at, end));
    this.#trailerBytes += size;
    this.at = end + CRLF.length;
    return true;
  }
}

/** End of the line with a chunk's size, whose digits end at `at`; -1 where it has not arrived. */
function lineEnd(bytes: Buffer, at: number, from: number): number {
  if (bytes.length - from > MOST_LINE_BYTES && at - from > MOST_LINE_BYTES)
    throw new ProtocolError('line of a chunk too long');
  if (at === bytes.length) return -1;
  if (bytes[at] === CR) {
    if (at + 1 === bytes.length) return -1;
    if (bytes[at + 1] !== LF) throw new ProtocolError('invalid chunk size');
    return at + 2;
  }
  if (bytes[at] !== SEMICOLON) throw new ProtocolError('invalid chunk size');
  const end = bytes.indexOf(CRLF, at);
  if ((end < 0 ? bytes.length : end) - from > MOST_LINE_BYTES) throw new ProtocolError('line of a chunk too long');
  if (end < 0) return -1;
  if (!EXTENSIONS.test(bytes.toString('latin1', at, end))) throw new ProtocolError('invalid chunk extension');
  return end + CRLF.length;
}

function digitValues(): Uint8Array {
  const values = new Uint8Array(256).fill(255);
  for (const digit of '0123456789abcdefABCDEF') values[digit.charCodeAt(0)] = Number.parseInt(digit, 16);
  return values;
}

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
