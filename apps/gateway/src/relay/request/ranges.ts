/** Marks a byte with seven bits of a number that continues in the next byte. */
const MORE = 0x80;
const ROOM = 32;
/** Bytes of a block once there are many: copying all of them into a larger one would delay other calls. */
const BLOCK = 64 * 1024;

/** A range of bytes. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Ranges of a body, in ascending order, each as the distance from the one before and its length: a body may be made of
 * nothing else, and two or three bytes a range are less than the range itself takes there.
 */
export class Ranges {
  /** The first one grows up to `BLOCK`; all others have that length. */
  readonly #blocks: Uint8Array[] = [];
  #used = 0;
  #last = 0;
  #count = 0;
  /** Bytes in all ranges. */
  #covered = 0;
  #keptUsed = 0;
  #keptLast = 0;
  #keptCount = 0;
  #keptCovered = 0;

  get count(): number {
    return this.#count;
  }

  get covered(): number {
    return this.#covered;
  }

  add(start: number, end: number): void {
    this.#write(start - this.#last);
    this.#write(end - start);
    this.#last = end;
    this.#count++;
    this.#covered += end - start;
  }

  /** Makes the added ranges permanent, so that `rollBack` does not remove them. */
  keep(): void {
    this.#keptUsed = this.#used;
    this.#keptLast = this.#last;
    this.#keptCount = this.#count;
    this.#keptCovered = this.#covered;
  }

  /** Removes the ranges added since `keep`. */
  rollBack(): void {
    this.#used = this.#keptUsed;
    this.#last = this.#keptLast;
    this.#count = this.#keptCount;
    this.#covered = this.#keptCovered;
  }

  *[Symbol.iterator](): Generator<Range, void> {
    let at = 0;
    let last = 0;
    const read = (): number => {
      let value = 0;
      let factor = 1;
      for (;;) {
        const byte = this.#block(at)[at++ % BLOCK] as number;
        value += (byte & (MORE - 1)) * factor;
        if (byte < MORE) return value;
        factor *= MORE;
      }
    };
    while (at < this.#used) {
      const start = last + read();
      last = start + read();
      yield { start, end: last };
    }
  }

  /** Numbers may be beyond 32 bits: a body has no limit of size. */
  #write(value: number): void {
    let rest = value;
    while (rest >= MORE) {
      this.#put((rest % MORE) | MORE);
      rest = Math.floor(rest / MORE);
    }
    this.#put(rest);
  }

  #put(byte: number): void {
    const index = Math.floor(this.#used / BLOCK);
    let block = this.#blocks[index];
    const at = this.#used++ % BLOCK;
    if (block === undefined) this.#blocks[index] = block = new Uint8Array(index === 0 ? ROOM : BLOCK);
    else if (at >= block.length) {
      const larger = new Uint8Array(2 * block.length);
      larger.set(block);
      this.#blocks[index] = block = larger;
    }
    block[at] = byte;
  }

  #block(at: number): Uint8Array {
    return this.#blocks[Math.floor(at / BLOCK)] as Uint8Array;
  }
}
