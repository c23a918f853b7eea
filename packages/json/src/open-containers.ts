const SMALL = 30;

/** Which containers are open: objects or arrays. One bit each, for a body may nest without end. */
export class OpenContainers {
  depth = 0;
  /** The innermost ones, up to the first `SMALL` levels; bit 0 is the outermost. */
  #small = 0;
  #more: Uint8Array | null = null;

  open(isObject: boolean): void {
    const level = this.depth++;
    if (level < SMALL) {
      const bit = 1 << level;
      this.#small = isObject ? this.#small | bit : this.#small & ~bit;
      return;
    }
    const index = (level - SMALL) >> 3;
    const bit = 1 << ((level - SMALL) & 7);
    const bits = this.#room(index);
    bits[index] = isObject ? (bits[index] as number) | bit : (bits[index] as number) & ~bit;
  }

  close(): void {
    this.depth--;
  }

  clear(): void {
    this.depth = 0;
  }

  /** Whether the innermost one is an object; false where none is open. */
  get isObject(): boolean {
    const level = this.depth - 1;
    if (level < 0) return false;
    if (level < SMALL) return ((this.#small >> level) & 1) === 1;
    return (((this.#more?.[(level - SMALL) >> 3] ?? 0) >> ((level - SMALL) & 7)) & 1) === 1;
  }

  #room(index: number): Uint8Array {
    if (this.#more !== null && index < this.#more.length) return this.#more;
    const larger = new Uint8Array(Math.max(128, index * 2));
    if (this.#more !== null) larger.set(this.#more);
    this.#more = larger;
    return larger;
  }
}
