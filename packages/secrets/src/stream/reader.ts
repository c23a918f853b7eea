import { createHash } from 'node:crypto';
import { type Automaton, CLASS_OF } from '../scan/automaton.ts';
import type { Catalogue } from '../scan/catalogue.ts';
import type { Engine } from '../scan/engine.ts';
import { readEscape, UNFINISHED } from '../text/unescape.ts';
import type { View } from '../verify/view.ts';

/**
 * The start of each decoded byte in the original text. While every byte is one character, one difference determines it; only a
 * text with other characters needs a table.
 */
export class Origins {
  #difference = 0;
  #table: Float64Array | null = null;

  of(index: number): number {
    return this.#table === null ? index + this.#difference : (this.#table[index] as number);
  }

  /** Notes where the byte at `index` will begin; the indices come in order. */
  set(index: number, position: number): void {
    if (this.#table === null) {
      if (position === index + this.#difference) return;
      this.#table = new Float64Array(2 * index + FIRST_ROOM);
      for (let at = 0; at < index; at++) this.#table[at] = at + this.#difference;
    }
    if (index >= this.#table.length) this.#grow(this.#table);
    this.#table[index] = position;
  }

  /** Notes that the bytes from one index to another are a character each. */
  count(from: number, to: number): void {
    if (this.#table === null) return;
    const ahead = this.of(from) - from;
    for (let index = from + 1; index <= to; index++) this.set(index, index + ahead);
  }

  /** Forgets the first bytes: all indices up to `end` move. */
  drop(bytes: number, end: number): void {
    this.#difference += bytes;
    this.#table?.copyWithin(0, bytes, end + 1);
  }

  #grow(table: Float64Array): void {
    this.#table = new Float64Array(2 * table.length);
    this.#table.set(table);
  }
}

/**
 * Keys that everyone has: they come with emulators, documentation and local test chains, and protect nothing.
 * In pieces, so that scanners of source code do not stumble over them.
 */
const VALUES = [
  // Azurite, the Azure storage emulator
  ['Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6', 'tq/K1SZFPTOtr/KBHBeksoGMGw=='],
  // Azure Cosmos DB emulator
  ['C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw', '/Jw=='],
  // Stripe's documentation
  ['sk_test_4eC39HqLyj', 'WDarjtT1zdp7dc'],
  ['sk_test_BQokikJOvBiI', '2HlWgH4olfQ2'],
  ['sk_test_tR3PYbcVNZZ', '796tH88S4VQ2u'],
  // Hardhat and Anvil, first accounts
  ['0xac0974bec39a17e36ba4a6b4d238ff944', 'bacb478cbed5efcae784d7bf4f2ff80'],
  ['ac0974bec39a17e36ba4a6b4d238ff944', 'bacb478cbed5efcae784d7bf4f2ff80'],
  ['0x59c6995e998f97a5a0044966f0945389d', 'c9e86dae88c7a8412f4603b6b78690d'],
  // reCAPTCHA's test secret
  ['6LeIxAcTAAAAAGG-', 'vFI1TnRWxMZNFuojJ4WifJWe'],
] as const;

/** SHA-256 digests of well-known values, hexadecimal. */
export const WELL_KNOWN: ReadonlySet<string> = new Set(
  VALUES.map((pieces) => createHash('sha256').update(pieces.join('')).digest('hex')),
);

const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LAST_PLAIN = 0x7e;
/** First byte of a character of two UTF-16 units. */
const FOUR_BYTES = 0xf0;
/** Most bytes read at once. */
const SLICE = 1024;
/** Bytes there is room for at first: most answers are short. */
const FIRST_ROOM = 512;
const NOTHING = new Uint8Array(0);

/** `utf8`: the text is text. `latin1`: each of its characters is one byte. */
export type Encoding = 'utf8' | 'latin1';

/** The states after each byte of the last skimmed piece, of any reader: they are not needed later. */
const states = new Int32Array(SLICE + 1);

/** Decodes text that arrives in pieces, one at a time, and steps the automaton over them. */
export class Reader {
  /** State of the automaton after the last byte. */
  state = 0;
  /** The end of the decoded part in the original text, counted from the first character of the channel. */
  position = 0;
  readonly #automaton: Automaton;
  readonly #engine: Engine;
  readonly #view: View;
  readonly #encoding: Encoding;
  readonly #origins = new Origins();
  #skimmedFrom = 0;
  /** Bytes not decoded yet. */
  #source: Uint8Array = NOTHING;
  #at = 0;
  /** The first half of a surrogate pair whose second half has not arrived yet. */
  #half = '';

  constructor({ automaton }: Catalogue, engine: Engine, encoding: Encoding) {
    this.#automaton = automaton;
    this.#engine = engine;
    this.#view = engine.view;
    this.#encoding = encoding;
    this.#view.bytes = Buffer.allocUnsafe(FIRST_ROOM);
  }

  /** The start of the decoded byte at `at` in the original text. */
  origin(at: number): number {
    return this.#origins.of(at);
  }

  /** State of the automaton after the decoded byte before `at`, one of the last skimmed. */
  stateAt(at: number): number {
    return states[at - this.#skimmedFrom] as number;
  }

  add(piece: string): void {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    this.#half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
    this.#append(this.#half === '' ? text : text.slice(0, -1));
  }

  /**
   * Skims bytes of plain text: they are then behind the view's end, and count as read once `accept` is called.
   * @returns the state after them, or -1 if a keyword ends in them, any byte is not plain, or half an escape or character came
   * before.
   */
  preview(piece: Uint8Array, from: number, to: number): number {
    if (this.#half !== '' || this.#at < this.#source.length) return -1;
    this.#makeRoom(to - from + 1);
    const { next, accept } = this.#automaton;
    const { bytes, end } = this.#view;
    let { state } = this;
    for (let index = from; index < to; index++) {
      const byte = piece[index] as number;
      state = next[state + (CLASS_OF[byte] as number)] as number;
      if (state >= accept || byte < SPACE || byte > LAST_PLAIN) return -1;
      bytes[end + index - from] = byte;
    }
    return state;
  }

  /** Accepts a number of skimmed bytes, up to a state. */
  accept(length: number, state: number): void {
    const view = this.#view;
    this.state = state;
    this.position += length;
    this.#origins.count(view.end, view.end + length);
    view.end += length;
  }

  /** Reads on, one slice at most, up to the next escape or the end of the next keyword. Nothing can be decided before. */
  skim(): void {
    const source = this.#source;
    const stop = Math.min(source.length, this.#at + SLICE);
    this.#makeRoom(stop - this.#at + 1);
    const { next, accept } = this.#automaton;
    const { bytes } = this.#view;
    const from = this.#view.end;
    let [at, end, state, position] = [this.#at, from, this.state, this.position];
    while (at < stop) {
      const byte = source[at] as number;
      const to = next[state + (CLASS_OF[byte] as number)] as number;
      if (to >= accept) break; // a backslash has this state, too
      state = to;
      bytes[end++] = byte;
      at++;
      position += this.#unitsOf(byte);
      this.#origins.set(end, position);
      states[end - from] = to;
    }
    this.#skimmedFrom = from;
    this.#at = at;
    this.#view.end = end;
    this.state = state;
    this.position = position;
  }

  /** Decodes one more byte into the engine's view; false for none, or while its escape or character is incomplete. */
  read(final: boolean): boolean {
    if (this.#at >= this.#source.length) {
      if (!final || this.#half === '') return false;
      this.#append(this.#half);
      this.#half = '';
    }
    const source = this.#source;
    const view = this.#view;
    let byte = source[this.#at] as number;
    let taken = 1;
    let units: number;
    if (byte === BACKSLASH) {
      const escape = readEscape(source, this.#at, source.length, final);
      if (escape === UNFINISHED) return false;
      taken = escape >> 8;
      units = taken;
      byte = escape & 0xff;
    } else units = this.#unitsOf(byte);
    this.#makeRoom(2);
    view.bytes[view.end++] = byte;
    this.#at += taken;
    this.position += units;
    this.#origins.set(view.end, this.position);
    const { next, accept } = this.#automaton;
    this.state = byte === BACKSLASH ? 0 : (next[this.state + (CLASS_OF[byte] as number)] as number);
    if (this.state >= accept) this.#engine.hit(view.end, this.state);
    return true;
  }

  /** Forgets the first decoded bytes, as the engine does. */
  drop(bytes: number): void {
    this.#origins.drop(bytes, this.#view.end);
    this.#engine.drop(bytes);
  }

  #append(text: string): void {
    const more = Buffer.from(text, this.#encoding);
    const isRead = this.#at >= this.#source.length;
    this.#source = isRead ? more : Buffer.concat([this.#source.subarray(this.#at), more]);
    this.#at = 0;
  }

  #makeRoom(more: number): void {
    const view = this.#view;
    if (view.end + more < view.bytes.length) return;
    const bytes = Buffer.allocUnsafe((view.end + more) * 2);
    bytes.set(view.bytes.subarray(0, view.end));
    view.bytes = bytes;
  }

  /** Characters of a byte of plain text, in UTF-16 units. */
  #unitsOf(byte: number): number {
    if (byte < 0x80 || this.#encoding === 'latin1') return 1;
    return byte >= FOUR_BYTES ? 2 : byte >= 0xc0 ? 1 : 0;
  }
}
