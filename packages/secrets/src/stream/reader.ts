import { CLASS_OF } from '../automaton/alphabet.ts';
import type { Catalogue } from '../scan/catalogue.ts';
import type { Engine } from '../scan/engine.ts';
import { readEscape, UNFINISHED } from '../text/unescape.ts';
import { Origins } from './origins.ts';

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

/** `utf8`: the text is text. `latin1`: its characters stand for one byte each. */
export type Encoding = 'utf8' | 'latin1';

/** Turns text that arrives in pieces into decoded bytes, one at a time, and steps the automaton over them. */
export interface Reader {
  /** State of the automaton after the last byte. */
  readonly state: number;
  /** Where, in the text as it came, what is decoded so far ends: counted from the first character of the channel. */
  readonly position: number;
  /** Where the decoded byte at `at` begins in the text as it came. */
  origin(at: number): number;
  add(text: string): void;
  /**
   * Looks at bytes of plain text: they lie behind the view's end then, and are read once `accept` is called.
   * @returns the state after them, or -1 where a keyword ends in them or anything is not plain.
   */
  preview(bytes: Uint8Array, from: number, to: number): number;
  /** Reads so many bytes that were looked at, up to a state. */
  accept(length: number, state: number): void;
  /** State of the automaton after the decoded byte before `at`, one of those that were skimmed last. */
  stateAt(at: number): number;
  /** Reads on, one slice at most, up to the next escape or the end of the next keyword. Nothing can be decided before. */
  skim(): void;
  /** Decodes one more byte into the engine's view; false when there is none, or when its escape or character is not complete yet. */
  read(final: boolean): boolean;
  /** Forgets the first decoded bytes, as the engine does. */
  drop(bytes: number): void;
}

/** The states after each byte of what was skimmed last, by whichever reader: nobody asks for them later. */
const states = new Int32Array(SLICE + 1);

export function createReader({ automaton }: Catalogue, engine: Engine, encoding: Encoding): Reader {
  const { next, accept } = automaton;
  const { view } = engine;
  view.bytes = Buffer.allocUnsafe(FIRST_ROOM);
  const origins = new Origins();
  let skimmedFrom = 0;
  let state = 0;
  let position = 0;
  /** Bytes not decoded yet. */
  let source: Uint8Array = NOTHING;
  let at = 0;
  /** The first half of a character of two units whose second half did not come yet. */
  let half = '';

  function append(text: string): void {
    const more = Buffer.from(text, encoding);
    source = at < source.length ? Buffer.concat([source.subarray(at), more]) : more;
    at = 0;
  }

  function makeRoom(more: number): void {
    if (view.end + more < view.bytes.length) return;
    const bytes = Buffer.allocUnsafe((view.end + more) * 2);
    bytes.set(view.bytes.subarray(0, view.end));
    view.bytes = bytes;
  }

  /** Characters that a byte of plain text stands for, in UTF-16 units. */
  function unitsOf(byte: number): number {
    if (byte < 0x80 || encoding === 'latin1') return 1;
    return byte >= FOUR_BYTES ? 2 : byte >= 0xc0 ? 1 : 0;
  }

  return {
    get state() {
      return state;
    },
    get position() {
      return position;
    },
    origin: (index) => origins.of(index),
    stateAt: (index) => states[index - skimmedFrom] as number,
    add(piece) {
      const text = half + piece;
      const last = text.charCodeAt(text.length - 1);
      half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
      append(half === '' ? text : text.slice(0, -1));
    },
    preview(piece, from, to) {
      makeRoom(to - from + 1);
      const { bytes, end } = view;
      let reached = state;
      for (let index = from; index < to; index++) {
        const byte = piece[index] as number;
        reached = next[reached + (CLASS_OF[byte] as number)] as number;
        if (reached >= accept || byte < SPACE || byte > LAST_PLAIN) return -1;
        bytes[end + index - from] = byte;
      }
      return reached;
    },
    accept(length, reached) {
      const { end } = view;
      state = reached;
      position += length;
      view.end = end + length;
      origins.count(end, view.end);
    },
    skim() {
      const stop = Math.min(source.length, at + SLICE);
      makeRoom(stop - at + 1);
      const { bytes } = view;
      let { end } = view;
      skimmedFrom = end;
      while (at < stop) {
        const byte = source[at] as number;
        const to = next[state + (CLASS_OF[byte] as number)] as number;
        if (to >= accept) break; // a backslash leads there too
        state = to;
        bytes[end++] = byte;
        at++;
        position += unitsOf(byte);
        origins.set(end, position);
        states[end - skimmedFrom] = to;
      }
      view.end = end;
    },
    read(final) {
      if (at >= source.length) {
        if (!final || half === '') return false;
        append(half);
        half = '';
      }
      let byte = source[at] as number;
      let taken = 1;
      let units: number;
      if (byte === BACKSLASH) {
        const escape = readEscape(source, at, source.length, final);
        if (escape === UNFINISHED) return false;
        taken = escape >> 8;
        units = taken;
        byte = escape & 0xff;
      } else units = unitsOf(byte);
      makeRoom(2);
      view.bytes[view.end++] = byte;
      at += taken;
      position += units;
      origins.set(view.end, position);
      state = byte === BACKSLASH ? 0 : (next[state + (CLASS_OF[byte] as number)] as number);
      if (state >= accept) engine.hit(view.end, state);
      return true;
    },
    drop(bytes) {
      origins.drop(bytes, view.end);
      engine.drop(bytes);
    },
  };
}
