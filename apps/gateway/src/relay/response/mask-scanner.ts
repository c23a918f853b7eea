import type { Channel, ChannelStep, Scanner } from '@gateway/secrets';

/**
 * A scanner that removes the provider's key from channels: an engine may split it over the events of a stream. A whole key in the
 * bytes of an answer was masked before.
 * @param found called where a channel contains the key
 */
export function withMask(scanner: Scanner, key: string, found: () => void): Scanner {
  return {
    ...scanner,
    channel(responses, pointer, encoding) {
      const inner = scanner.channel(responses, pointer, encoding);
      return encoding === 'latin1' ? inner : new MaskedChannel(inner, key, found);
    },
  };
}

class MaskedChannel implements Channel {
  readonly #inner: Channel;
  readonly #key: string;
  readonly #first: number;
  readonly #found: () => void;
  /** The end of the text, where the key may have begun. */
  #waiting = '';

  constructor(inner: Channel, key: string, found: () => void) {
    this.#inner = inner;
    this.#key = key;
    this.#first = key.charCodeAt(0);
    this.#found = found;
  }

  get held(): number {
    return this.#waiting.length + this.#inner.held;
  }

  push(text: string): ChannelStep {
    return this.#inner.push(this.#masked(text));
  }

  passes(bytes: Uint8Array, from: number, to: number): boolean {
    if (this.#waiting !== '') return false;
    for (let at = from; at < to; at++) if (bytes[at] === this.#first && this.#begins(bytes, at, to)) return false;
    return this.#inner.passes(bytes, from, to);
  }

  end(): ChannelStep {
    const rest = this.#waiting;
    this.#waiting = '';
    if (rest === '') return this.#inner.end();
    const last = this.#inner.push(rest);
    const end = this.#inner.end();
    return {
      text: last.text + end.text,
      findings: [...last.findings, ...end.findings],
      blocked: last.blocked || end.blocked,
    };
  }

  #masked(text: string): string {
    const key = this.#key;
    const parts = (this.#waiting + text).split(key);
    const last = parts.pop() ?? '';
    if (parts.length > 0) this.#found();
    const clear = this.#clearUpTo(last);
    this.#waiting = last.slice(clear);
    return [...parts, last.slice(0, clear)].join('*'.repeat(key.length));
  }

  /** Where the beginning of the key is at the end of a text; the text's length where it is not. */
  #clearUpTo(text: string): number {
    const first = this.#key.slice(0, 1);
    let at = text.indexOf(first, Math.max(0, text.length - this.#key.length + 1));
    while (at >= 0 && !this.#key.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
    return at < 0 ? text.length : at;
  }

  /** Whether the key, or a beginning of it that the end cuts off, is there. */
  #begins(bytes: Uint8Array, from: number, to: number): boolean {
    const length = Math.min(this.#key.length, to - from);
    for (let index = 0; index < length; index++) if (bytes[from + index] !== this.#key.charCodeAt(index)) return false;
    return true;
  }
}
