import { isUtf8 } from 'node:buffer';

const NOTHING: Uint8Array = new Uint8Array(0);
const LONGEST_CHARACTER = 4;

/** Whether bytes that arrive in parts are UTF-8. */
export class Utf8Check {
  /** The beginning of a character that the last part contained incompletely. */
  #rest = NOTHING;

  /** @returns false where they are not, so that later bytes do not matter. */
  push(part: Uint8Array): boolean {
    const bytes = this.#rest.length === 0 ? part : Buffer.concat([this.#rest, part]);
    const whole = bytes.length - beginningAtEnd(bytes);
    this.#rest = bytes.slice(whole);
    return isUtf8(bytes.subarray(0, whole));
  }

  /** Whether they ended with a whole character. */
  end(): boolean {
    return this.#rest.length === 0;
  }
}

/** Bytes at the end that begin a character and do not end it. */
function beginningAtEnd(bytes: Uint8Array): number {
  for (let length = 1; length < LONGEST_CHARACTER && length <= bytes.length; length++) {
    const byte = bytes[bytes.length - length] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length < needed ? length : 0;
  }
  return 0;
}
