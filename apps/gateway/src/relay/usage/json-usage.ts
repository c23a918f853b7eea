import { NOTHING_REPORTED, type ReportedCounts, readUsage } from './counts.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const KEY = Buffer.from('usage');

/** Bytes of a text looked at one by one: most texts of an answer are shorter than a native search is worth. */
const NEAR = 24;

/** Longest `usage` object that is read; real ones take a few hundred bytes. */
const LONGEST = 16 * 1024;

/**
 * Finds the top-level `usage` member of a JSON answer while it passes, in constant memory and whatever its length. It
 * follows strings and brackets only: whether the rest is good JSON is for the caller to find.
 */
export class JsonUsage {
  #reported = NOTHING_REPORTED;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Whether the outermost value is an object, and the next string of its level a key. */
  #isObject = false;
  #atKey = false;
  /** Bytes of the current string that agree with `usage` so far, or -1. */
  #agreed = -1;
  /** Whether the last string was the key `usage`. */
  #keyed = false;
  /** Parts of the value of `usage`, while it passes. */
  #parts: Buffer[] | null = null;

  get reported(): ReportedCounts {
    return this.#reported;
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
        if (this.#depth === 1 && this.#keyed && byte === OPEN_OBJECT) {
          this.#parts = [];
          from = at;
        }
        this.#open(byte);
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
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
    this.#agreed = this.#atKey && this.#depth === 1 ? 0 : -1;
    this.#keyed = false;
  }

  #open(byte: number): void {
    this.#keyed = false;
    this.#depth += 1;
    if (this.#depth === 1) this.#atKey = this.#isObject = byte === OPEN_OBJECT;
  }

  /** A colon ends the key, a comma the member. */
  #separate(byte: number): void {
    if (byte === COLON) this.#atKey = false;
    else if (byte === COMMA) {
      this.#atKey = this.#isObject;
      this.#keyed = false;
    }
  }

  /** @returns the offset after the string, or the end of the chunk where it goes on. */
  #endOfString(chunk: Buffer, from: number): number {
    if (this.#agreed < 0 && !this.#escaped) return this.#endOfText(chunk, from);
    let escaped = this.#escaped;
    let agreed = this.#agreed;
    let at = from;
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        this.#keyed = agreed === KEY.length;
        at += 1;
        break;
      }
      if (agreed >= 0) agreed = byte === KEY[agreed] ? agreed + 1 : -1;
    }
    this.#escaped = escaped;
    this.#agreed = agreed;
    return at;
  }

  /** The same for a string that is no key of interest: most of an answer, so the quote of a long one is searched for natively. */
  #endOfText(chunk: Buffer, from: number): number {
    const near = Math.min(chunk.length, from + NEAR);
    for (let at = from; at < near && chunk[at] !== BACKSLASH; at += 1) {
      if (chunk[at] !== QUOTE) continue;
      this.#inString = false;
      this.#keyed = false;
      return at + 1;
    }
    for (let at = chunk.indexOf(QUOTE, from); at >= 0; at = chunk.indexOf(QUOTE, at + 1)) {
      if (backslashesBefore(chunk, at, from) % 2 === 1) continue;
      this.#inString = false;
      this.#keyed = false;
      return at + 1;
    }
    this.#escaped = backslashesBefore(chunk, chunk.length, from) % 2 === 1;
    return chunk.length;
  }

  #read(last: Buffer): void {
    const text = Buffer.concat([...(this.#parts ?? []), last]).toString();
    this.#parts = null;
    try {
      this.#reported = readUsage(JSON.parse(text), this.#reported);
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
