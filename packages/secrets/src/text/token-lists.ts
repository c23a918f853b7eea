/** Members in which engines list the tokens of a text beside it: a mask in the text leaves the secret in them. */
const NAMES = 'logprobs|prompt_logprobs|logprobsResult|logprobs_result|completion_probabilities';
/** Such a member with a list or an object. Inside a string, its quotes would be escaped. */
const LIST = new RegExp(`(?<!\\\\)("(?:${NAMES})"\\s*:\\s*)([{[])`);
/** What may become one at the end of a piece. */
const BEGINNING = /(?<!\\)"(?:[A-Za-z_]{0,24}|[A-Za-z_]{8,24}"\s{0,8}:?\s{0,8})$/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** Empties the lists of tokens in JSON that arrives in pieces. Reads characters up to U+00FF, as bytes or text. */
export class TokenLists {
  /** What may begin such a member. */
  #waiting = '';
  /** Brackets that are open in a list that is left out. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** @returns what may leave; the rest comes with a later piece. */
  push(piece: string): string {
    let text = this.#waiting + piece;
    this.#waiting = '';
    let left = '';
    for (;;) {
      if (this.#depth > 0) text = text.slice(this.#skip(text));
      const list = this.#depth > 0 ? null : LIST.exec(text);
      if (list === null) break;
      const [whole, name = '', bracket] = list;
      left += text.slice(0, list.index) + name + (bracket === '[' ? '[]' : 'null');
      text = text.slice(list.index + whole.length);
      this.#depth = 1;
    }
    if (this.#depth > 0) return left;
    this.#waiting = BEGINNING.exec(text.slice(-80))?.[0] ?? '';
    return left + text.slice(0, text.length - this.#waiting.length);
  }

  /** Nothing follows. */
  end(): string {
    const rest = this.#waiting;
    this.#waiting = '';
    return rest;
  }

  /** @returns the offset after the list, or after the text. */
  #skip(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString) {
        if (code === BACKSLASH) this.#isEscaped = true;
        else if (code === QUOTE) this.#isInString = false;
      } else if (code === QUOTE) this.#isInString = true;
      else if (OPENING.has(code)) this.#depth += 1;
      else if (CLOSING.has(code)) this.#depth -= 1;
      if (this.#depth === 0) return at + 1;
    }
    return text.length;
  }
}

/** The same bytes where nothing is listed. */
export function withoutTokenLists(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  if (!LIST.test(text)) return bytes;
  const lists = new TokenLists();
  return Buffer.from(lists.push(text) + lists.end(), 'latin1');
}
