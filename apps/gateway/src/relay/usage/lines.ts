const LF = 0x0a;
const CR = 0x0d;

/** Longest line that is buffered until it is complete: it is then read in one go. */
const LONGEST_LINE = 64 * 1024;

/** What becomes of the lines of a stream. */
export interface LineSink {
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
