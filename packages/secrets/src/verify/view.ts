import type { Charset } from '../text/charset.ts';
import { Assigned } from './assigned.ts';

/** A check's result at a position. */
export const NO = 0;
/** The text read so far ends before the answer; ask again when there is more. */
export const MORE = 1;
export const FOUND = 2;
export type Verdict = typeof NO | typeof MORE | typeof FOUND;

/** Most bytes of a value that are weighed; a longer one is decided by these, then swallowed up to its end. */
export const EVIDENCE = 104;

/** How the rest of a value is recognised once it has been decided. */
export type Tail =
  | { readonly type: 'run'; readonly set: Charset; readonly joiners: Charset | null }
  | { readonly type: 'pem' }
  | { readonly type: 'xml' };

const NO_BYTES = new Uint8Array(0);

/**
 * The decoded text for the checks, and the fields for their results. One object serves a whole scan: checks run for every
 * keyword, and must not allocate.
 */
export class View {
  bytes: Uint8Array = NO_BYTES;
  /** First readable byte. */
  floor = 0;
  /** Byte after the last readable one. */
  end = 0;
  /** No more text will follow. */
  final = false;

  /** The cache of the last name (see `readAssignment`). */
  readonly assigned = new Assigned();

  /** FOUND: the value is `from` to `to`; with a `tail`, it continues after `to` as the tail describes. */
  from = 0;
  to = 0;
  tail: Tail | null = null;
  /** MORE: nothing before this byte can become part of a finding of the check that answered. */
  hold = 0;

  found(from: number, to: number, tail: Tail | null = null): Verdict {
    this.from = from;
    this.to = to;
    this.tail = tail;
    return FOUND;
  }

  more(hold: number): Verdict {
    this.hold = hold;
    return MORE;
  }

  /** True when a read at `at` must wait for more text. */
  waits(at: number): boolean {
    return at >= this.end && !this.final;
  }

  /** The byte at `at`, or 0 outside the text. */
  at(at: number): number {
    return at >= this.floor && at < this.end ? (this.bytes[at] as number) : 0;
  }

  /** End of the run of a set's bytes that starts at `from`, at most `limit` bytes of it. */
  runEnd(set: Charset, from: number, limit: number): number {
    const stop = Math.min(this.end, from + limit);
    let at = from;
    while (at < stop && set[this.bytes[at] as number] === 1) at++;
    return at;
  }

  /** Start of the run of a set's bytes that ends before `to`, at most `limit` bytes of it. */
  runStart(set: Charset, to: number, limit: number): number {
    const stop = Math.max(this.floor, to - limit);
    let at = to;
    while (at > stop && set[this.bytes[at - 1] as number] === 1) at--;
    return at;
  }

  /** Forgets the first bytes: all positions move by `bytes`. */
  drop(bytes: number): void {
    this.bytes.copyWithin(0, bytes, this.end);
    this.end -= bytes;
    this.assigned.drop(bytes);
  }

  /** First byte of the UTF-8 character at `at`: a value is never cut inside one. */
  characterStart(at: number): number {
    let start = at;
    while (start > at - 3 && (this.at(start) & 0xc0) === 0x80) start--;
    return start;
  }

  /** Whether exactly these letters are at `from`. */
  spells(text: string, from: number): boolean {
    for (let index = 0; index < text.length; index++)
      if (this.at(from + index) !== text.charCodeAt(index)) return false;
    return true;
  }

  /** Number of these letters at `from`. */
  spelled(text: string, from: number): number {
    let index = 0;
    while (index < text.length && this.at(from + index) === text.charCodeAt(index)) index++;
    return index;
  }

  text(from: number, to: number): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + from, to - from).toString('latin1');
  }
}
