/** UTF-16 units of a name that are decoded by default. */
export const LONGEST_NAME = 256;

/** Characters written as a backslash and one letter; JSON5 adds the last two to RFC 8259's. */
const SINGLE: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
};
/** Bytes decoded in one call. */
const SLICE = 4096;
const LINE_ENDS = new Set(['\n', '\r', '\u2028', '\u2029']);

/**
 * Decodes the escapes of a member's name that arrives in parts. JSON5's escapes include RFC 8259's: `\x6d` and `\m` are `m`, and
 * a line end after a backslash is dropped. Stores a bounded beginning of a name of any length.
 */
export class NameDecoder {
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #longest: number;
  #text = '';
  /** An incomplete escape: the backslash and the characters after it. */
  #escape = '';

  /** @param longest UTF-16 units that are stored. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  push(part: Uint8Array): void {
    for (let from = 0; from < part.length && this.#text.length < this.#longest; from += SLICE) {
      this.#read(this.#utf8.decode(part.subarray(from, from + SLICE), { stream: true }));
    }
  }

  /** The name, cut to the bound, without an incomplete escape. */
  end(): string {
    // An incomplete character is U+FFFD, as in a name that is there as a whole.
    this.#read(this.#utf8.decode());
    return this.#text.slice(0, this.#longest);
  }

  #read(text: string): void {
    for (const character of text) {
      if (this.#escape !== '') this.#continue(character);
      else if (character === '\\') this.#escape = character;
      else this.#text += character;
    }
  }

  #continue(character: string): void {
    const escape = this.#escape + character;
    const digits = escape[1] === 'u' ? 4 : escape[1] === 'x' ? 2 : 0;
    if (digits > 0 && escape.length < digits + 2) {
      this.#escape = escape;
      return;
    }
    // Behind a carriage return, which continues a line as the pair with a line feed does, the line feed is nothing, too.
    if (this.#escape === '\\\r') {
      this.#escape = '';
      if (character === '\\') this.#escape = character;
      else if (character !== '\n') this.#text += character;
      return;
    }
    this.#escape = character === '\r' && escape.length === 2 ? escape : '';
    this.#text += digits > 0 ? decode(escape) : this.#single(character);
  }

  #single(character: string): string {
    return LINE_ENDS.has(character) ? '' : (SINGLE[character] ?? character);
  }
}

/** A name that is there as a whole. @param longest UTF-16 units that are decoded. */
export function decodeName(bytes: Uint8Array, isEscaped: boolean, longest: number): string {
  if (!isEscaped) {
    const mostBytes = Math.min(bytes.length, 4 * longest);
    return Buffer.from(bytes.buffer, bytes.byteOffset, mostBytes).toString().slice(0, longest);
  }
  const decoder = new NameDecoder(longest);
  decoder.push(bytes);
  return decoder.end();
}

/** An escape with digits; an invalid one stays unchanged. */
function decode(escape: string): string {
  const digits = escape.slice(2);
  return /^[\da-f]+$/i.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : escape;
}
