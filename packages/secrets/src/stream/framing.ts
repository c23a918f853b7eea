const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** `sse`: events end with an empty line (WHATWG, server-sent events). `ndjson`: every line is an event. */
export type Framing = 'sse' | 'ndjson';

/** A longer frame is passed on in parts, as they arrive, so that memory stays bounded. */
const LONGEST = 256 * 1024;

/** Cuts bytes into frames: whole events, with their line ends. */
export class Framer {
  readonly #framing: Framing;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** Up to here no frame ends. */
  #seen = 0;
  /** In the middle of a frame that is too long to collect. */
  #oversized = false;
  /** Whether the presence of a byte order mark before the first frame is known. */
  #begun = false;

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  add(chunk: Uint8Array): void {
    const left = this.#bytes.length - this.#at;
    this.#bytes = left === 0 ? chunk : Buffer.concat([this.#bytes.subarray(this.#at), chunk]);
    this.#seen = Math.max(0, this.#seen - this.#at);
    this.#at = 0;
  }

  /** All that is here. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Where in them the next frame begins. */
  get at(): number {
    return this.#at;
  }

  /** Whether the frame goes on after the part that was returned last. */
  get oversized(): boolean {
    return this.#oversized;
  }

  /** Hands on so many bytes: whole frames, found by other means. */
  take(length: number): Uint8Array {
    const from = this.#at;
    this.#at += length;
    this.#seen = this.#at;
    return this.#bytes.subarray(from, this.#at);
  }

  /** The next frame, or the next part of one that is too long; null until more arrives. */
  next(): Uint8Array | null {
    if (!this.#begun) {
      const mark = byteOrderMark(this.#bytes);
      if (mark === null) return null;
      this.#begun = true;
      if (mark > 0) return this.take(mark);
    }
    const end = frameEnd(this.#bytes, Math.max(this.#at, this.#seen), this.#framing);
    if (end >= 0) {
      this.#oversized = false;
      return this.take(end - this.#at);
    }
    const left = this.#bytes.length - this.#at;
    this.#seen = this.#bytes.length - Math.min(left, 3);
    this.#oversized ||= left > LONGEST;
    if (!this.#oversized || left === 0) return null;
    const length = withoutLineEnds(this.#bytes, this.#at) - this.#at;
    return length > 0 ? this.take(length) : null;
  }

  /** What is left when the bytes end. */
  end(): Uint8Array {
    return this.take(this.#bytes.length - this.#at);
  }
}

/** Length of a leading byte order mark: it belongs to the stream, not to its first event. Null until more arrives. */
function byteOrderMark(bytes: Uint8Array): number | null {
  const known = Math.min(bytes.length, BYTE_ORDER_MARK.length);
  for (let at = 0; at < known; at++) if (bytes[at] !== BYTE_ORDER_MARK[at]) return 0;
  return known === BYTE_ORDER_MARK.length ? known : null;
}

/** Where the line ends at the very end begin, of at most three bytes: they may be the first of the empty line that ends the frame. */
function withoutLineEnds(bytes: Uint8Array, from: number): number {
  const least = Math.max(from, bytes.length - 3);
  let end = bytes.length;
  while (end > least && (bytes[end - 1] === LINE_FEED || bytes[end - 1] === CARRIAGE_RETURN)) end--;
  return end;
}

/** Byte after the first frame, or -1. A carriage return at the very end may still get its line feed, so it waits. */
function frameEnd(bytes: Uint8Array, from: number, framing: Framing): number {
  for (let at = from; at < bytes.length; at++) {
    const first = lineEnd(bytes, at);
    if (first === 0) continue;
    if (framing === 'ndjson') return first;
    const second = lineEnd(bytes, first);
    if (second > 0) return second;
  }
  return -1;
}

/** Byte after the line end at `at`; 0 for none, or an incomplete one. */
function lineEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LINE_FEED) return at + 1;
  if (bytes[at] !== CARRIAGE_RETURN || at + 1 >= bytes.length) return 0;
  return bytes[at + 1] === LINE_FEED ? at + 2 : at + 1;
}
