/** Entries there is room for at first. */
const FIRST_ROOM = 512;

/**
 * The start of each decoded byte in the original text. While every byte is one character, one difference determines it; only a
 * text with other characters needs a table.
 */
export class Origins {
  #difference = 0;
  #table: Float64Array | null = null;

  of(index: number): number {
    return this.#table === null ? index + this.#difference : (this.#table[index] as number);
  }

  /** Notes where the byte at `index` will begin; the indices come in order. */
  set(index: number, position: number): void {
    if (this.#table === null) {
      if (position === index + this.#difference) return;
      this.#table = new Float64Array(2 * index + FIRST_ROOM);
      for (let at = 0; at < index; at++) this.#table[at] = at + this.#difference;
    }
    if (index >= this.#table.length) this.#grow(this.#table);
    this.#table[index] = position;
  }

  /** Notes that the bytes from one index to another are a character each. */
  count(from: number, to: number): void {
    if (this.#table === null) return;
    const ahead = this.of(from) - from;
    for (let index = from + 1; index <= to; index++) this.set(index, index + ahead);
  }

  /** Forgets the first bytes: all indices up to `end` move. */
  drop(bytes: number, end: number): void {
    this.#difference += bytes;
    this.#table?.copyWithin(0, bytes, end + 1);
  }

  #grow(table: Float64Array): void {
    this.#table = new Float64Array(2 * table.length);
    this.#table.set(table);
  }
}
