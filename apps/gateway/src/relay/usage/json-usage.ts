import { OWN_NAMES, type ReportedCounts, UsageReading } from './counts.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Members of interest: the `usage`, and the counts that some engines tell in the answer itself. */
const NAMES: readonly string[] = ['usage', ...OWN_NAMES];
const LONGEST_NAME = Math.max(...NAMES.map(({ length }) => length));

/** Digits of a count, and blanks around them. */
const LONGEST_NUMBER = 32;
const NUMBER = /^\s*\d+\s*$/;

/** Bytes of a text looked at one by one: most texts of an answer are shorter than a native search is worth. */
const NEAR = 24;

/** Longest `usage` object that is read; real ones take a few hundred bytes. */
const LONGEST = 16 * 1024;

/**
 * Finds the top-level members of a JSON answer that tell its usage while it passes, in constant memory and whatever its
 * length. It follows strings and brackets only: whether the rest is good JSON is for the caller to find. Of several answers
 * (lines of JSON) the last one counts.
 */
export class JsonUsage {
  readonly #usage = new UsageReading();
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Whether the outermost value is an object, and the next string of its level a key. */
  #isObject = false;
  #atKey = false;
  /** What came of the current string, where that may be a name of interest; else null. */
  #begun: string | null = null;
  /** The name of interest that the last string was; else null. */
  #name: string | null = null;
  /** Parts of the value of `usage`, while it passes. */
  #parts: Buffer[] | null = null;
  /** What came of a count; null where none is expected. */
  #number: string | null = null;

  get reported(): ReportedCounts {
    return this.#usage.reported;
  }

  push(chunk: Buffer): void {
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#endOfString(chunk, at);
        continue;
      }
      const byte = chunk[at]!;
      if (byte === QUOTE) this.#beginString();
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        if (this.#depth === 1 && this.#name === 'usage' && byte === OPEN_OBJECT) {
          this.#parts = [];
          from = at;
        }
        this.#open(byte);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        if (this.#depth === 1) this.#endMember();
        this.#depth -= 1;
        if (this.#depth === 1 && this.#parts !== null) this.#read(chunk.subarray(from, at + 1));
      } else if (this.#depth === 1) this.#separate(byte);
      at += 1;
    }
    this.#parts?.push(chunk.subarray(from));
    if (this.#parts !== null && lengthOf(this.#parts) > LONGEST) this.#parts = null;
  }

  #beginString(): void {
    this.#inString = true;
    this.#begun = this.#atKey && this.#depth === 1 ? '' : null;
    this.#name = null;
    this.#number = null;
  }

  #open(byte: number): void {
    this.#name = null;
    this.#number = null;
    this.#depth += 1;
    if (this.#depth === 1) this.#atKey = this.#isObject = byte === OPEN_OBJECT;
  }

  /** A colon ends the key, a comma the member; what else stands there is a number, a word or a blank. */
  #separate(byte: number): void {
    if (byte === COLON) {
      this.#atKey = false;
      if (this.#name !== null && this.#name !== 'usage') this.#number = '';
    } else if (byte === COMMA) {
      this.#endMember();
      this.#atKey = this.#isObject;
    } else if (this.#number !== null) {
      this.#number = this.#number.length < LONGEST_NUMBER ? this.#number + String.fromCharCode(byte) : null;
    }
  }

  #endMember(): void {
    if (this.#name !== null && this.#number !== null && NUMBER.test(this.#number)) {
      this.#usage.readOwn({ [this.#name]: Number(this.#number) });
    }
    this.#name = null;
    this.#number = null;
  }

  /** @returns the offset after the string, or the end of the chunk where it goes on. */
  #endOfString(chunk: Buffer, from: number): number {
    if (this.#begun === null && !this.#escaped) return this.#endOfText(chunk, from);
    let escaped = this.#escaped;
    let begun = this.#begun;
    let at = from;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        this.#name = begun !== null && NAMES.includes(begun) ? begun : null;
        at += 1;
        break;
      }
      if (begun !== null) begun = begun.length < LONGEST_NAME ? begun + String.fromCharCode(byte) : null;
    }
    this.#escaped = escaped;
    this.#begun = begun;
    return at;
  }

  /** The same for a string that is no key of interest: most of an answer, so the quote of a long one is searched for natively. */
  #endOfText(chunk: Buffer, from: number): number {
    const near = Math.min(chunk.length, from + NEAR);
    for (let at = from; at < near && chunk[at] !== BACKSLASH; at += 1) {
      if (chunk[at] !== QUOTE) continue;
      this.#inString = false;
      this.#name = null;
      return at + 1;
    }
    for (let at = chunk.indexOf(QUOTE, from); at >= 0; at = chunk.indexOf(QUOTE, at + 1)) {
      if (backslashesBefore(chunk, at, from) % 2 === 1) continue;
      this.#inString = false;
      this.#name = null;
      return at + 1;
    }
    this.#escaped = backslashesBefore(chunk, chunk.length, from) % 2 === 1;
    return chunk.length;
  }

  #read(last: Buffer): void {
    const text = Buffer.concat([...(this.#parts ?? []), last]).toString();
    this.#parts = null;
    try {
      this.#usage.read(JSON.parse(text));
    } catch {
      // Not JSON after all: nothing was reported.
    }
  }
}

function backslashesBefore(chunk: Buffer, end: number, from: number): number {
  let at = end;
  while (at > from && chunk[at - 1] === BACKSLASH) at -= 1;
  return end - at;
}

function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
