import type { JsonEvents } from './events.ts';
import type { LiteralKind } from './literal.ts';

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

/** The tokens that may come next. */
const VALUE = 0;
const ELEMENT = 1;
const NAME = 2;
const NAME_END = 3;
const AFTER = 4;
const BETWEEN_VALUES = 5;

/**
 * Which token may follow which, as tolerant parsers have it, and whether RFC 8259 has it so, too. Questions that are answered with
 * true take the token; after false it cannot be read.
 */
export class Grammar {
  /** Top-level values that were read whole. */
  values = 0;
  isStrict = true;
  readonly #events: JsonEvents;
  readonly #open = new OpenContainers();
  #next = BETWEEN_VALUES;
  /** A comma came last: RFC 8259 allows no closing bracket then. */
  #afterComma = false;

  constructor(events: JsonEvents) {
    this.#events = events;
  }

  /** Whether a top-level value may begin here, or none has begun yet. */
  get isBetweenValues(): boolean {
    return this.#next === BETWEEN_VALUES;
  }

  /** After the first value anything may follow. */
  junk(): boolean {
    if (this.#next !== BETWEEN_VALUES || this.values === 0) return false;
    this.isStrict = false;
    return true;
  }

  comma(): boolean {
    if (this.#next === AFTER) {
      this.#events.comma?.(this.#open.depth);
      this.#next = this.#open.isObject ? NAME : ELEMENT;
    } else if (this.#next === NAME || this.#next === ELEMENT) this.isStrict = false;
    else return this.junk();
    this.#afterComma = true;
    return true;
  }

  colon(): boolean {
    if (this.#next !== NAME_END) return this.junk();
    this.#next = VALUE;
    return true;
  }

  /** Whether a string that begins here is a name, even where the comma before it is missing. */
  name(): boolean {
    if (this.#next === AFTER && this.#open.isObject) this.#missComma();
    return this.#next === NAME;
  }

  nameEnds(from: number, to: number): void {
    this.#next = NAME_END;
    this.#events.name?.(from, to, this.#open.depth);
  }

  /** Whether a value may begin here. */
  value(): boolean {
    if (this.#next === AFTER && !this.#open.isObject) this.#missComma();
    if (this.#next === VALUE || this.#next === ELEMENT) return true;
    return this.#next === BETWEEN_VALUES && (this.values === 0 || this.junk());
  }

  stringEnds(from: number, to: number): void {
    this.#events.string?.(from, to, this.#open.depth);
    this.#valueEnds();
  }

  literalEnds(kind: LiteralKind, from: number, to: number): void {
    if (kind === 'other') this.isStrict = false;
    this.#events.literal?.(kind, from, to, this.#open.depth);
    this.#valueEnds();
  }

  begin(isObject: boolean, at: number): boolean {
    if (!this.value()) return false;
    this.#events.open?.(isObject, at, this.#open.depth);
    this.#open.open(isObject);
    this.#next = isObject ? NAME : ELEMENT;
    this.#afterComma = false;
    return true;
  }

  close(isObject: boolean, at: number): boolean {
    const open = this.#open;
    if (this.#next === BETWEEN_VALUES) return this.junk();
    if (open.isObject !== isObject || this.#next === VALUE || this.#next === NAME_END) return false;
    if (this.#afterComma && this.#next !== AFTER) this.isStrict = false;
    open.close();
    this.#events.close?.(isObject, at, open.depth);
    this.#valueEnds();
    return true;
  }

  /** The incomplete value is void. */
  break(at: number): void {
    this.isStrict = false;
    this.#events.broken?.(at);
    this.#open.clear();
    this.#next = BETWEEN_VALUES;
  }

  #missComma(): void {
    this.isStrict = false;
    this.comma();
  }

  #valueEnds(): void {
    this.#afterComma = false;
    this.#next = AFTER;
    if (this.#open.depth > 0) return;
    this.#next = BETWEEN_VALUES;
    this.values++;
  }
}
