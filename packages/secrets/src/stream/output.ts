/** Bytes on their way out, in pieces. Pieces that are neighbours in memory leave as one, uncopied. */
export class Output {
  #pieces: Uint8Array[] = [];

  add(bytes: Uint8Array): void {
    const last = this.#pieces.at(-1);
    if (last === undefined || last.buffer !== bytes.buffer || last.byteOffset + last.length !== bytes.byteOffset) {
      this.#pieces.push(bytes);
      return;
    }
    this.#pieces[this.#pieces.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + bytes.length);
  }

  /** All of it, which then is here no longer. */
  take(): Uint8Array {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }
}
