import { checkTrailer, ProtocolError } from './answer-head.ts';

const CR = 0x0d;
const LF = 0x0a;
const SEMICOLON = 0x3b;
const CRLF = Buffer.from('\r\n');

/** Bytes of the line before a chunk: a longer one is all extensions. */
const MOST_LINE_BYTES = 16 * 1024;
const MOST_TRAILER_BYTES = 64 * 1024;

/** Extensions, without blanks between them (RFC 9112 section 7.1.1). */
const EXTENSIONS =
  /^(?:;[!#$%&'*+.^_`|~\w-]+(?:=(?:[!#$%&'*+.^_`|~\w-]+|"(?:[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"))?)*$/;

/** Values of hexadecimal digits; 255: not one. */
const DIGITS = new Uint8Array(256).fill(255);
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

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
