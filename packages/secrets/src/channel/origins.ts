/** Entries there is room for at first. */
const FIRST_ROOM = 512;

/**
 * Where each decoded byte begins in the text as it came. As long as every byte is a character, that is told by one
 * difference; only a text in which some are not gets a table.
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
