import { CLASS_OF } from '../automaton/alphabet.ts';
import type { Catalogue } from '../scan/catalogue.ts';
import type { Engine } from '../scan/engine.ts';
import { readEscape, UNFINISHED } from '../text/unescape.ts';

const BACKSLASH = 0x5c;
/** Stands for any character outside ASCII. */
const FOREIGN = 0xff;

/** Turns text that arrives in pieces into decoded bytes, one at a time, and steps the automaton over them. */
export interface Reader {
  /** State of the automaton after the last byte. */
  readonly state: number;
  /** Where, in the text as it came, what is decoded so far ends: counted from the first character of the channel. */
  readonly position: number;
  /** Where the decoded byte at `at` begins in the text as it came. */
  origin(at: number): number;
  add(text: string): void;
  /** Decodes one more byte into the engine's view; false when there is none, or when its escape is not complete yet. */
  read(final: boolean): boolean;
  /** Forgets the first decoded bytes, as the engine does. */
  drop(bytes: number): void;
}

export function createReader({ automaton }: Catalogue, engine: Engine): Reader {
  const { next, accept } = automaton;
  const { view } = engine;
  view.bytes = new Uint8Array(1024);
  let origins = new Float64Array(1024);
  let state = 0;
  let position = 0;
  /** Characters not decoded yet, as bytes. */
  let source = new Uint8Array(0);
  let at = 0;

  function makeRoom(): void {
    const bytes = new Uint8Array(view.end * 2);
    bytes.set(view.bytes);
    view.bytes = bytes;
    const wider = new Float64Array(bytes.length);
    wider.set(origins);
    origins = wider;
  }

  return {
    get state() {
      return state;
    },
    get position() {
      return position;
    },
    origin: (index) => origins[index] as number,
    add(text) {
      const left = source.subarray(at);
      source = new Uint8Array(left.length + text.length);
      source.set(left);
      for (let index = 0; index < text.length; index++) {
        const character = text.charCodeAt(index);
        source[left.length + index] = character < 0x80 ? character : FOREIGN;
      }
      at = 0;
    },
    read(final) {
      if (at >= source.length) return false;
      let byte = source[at] as number;
      let taken = 1;
      if (byte === BACKSLASH) {
        const escape = readEscape(source, at, source.length, final);
        if (escape === UNFINISHED) return false;
        taken = escape >> 8;
        byte = escape & 0xff;
      }
      if (view.end + 1 >= view.bytes.length) makeRoom();
      view.bytes[view.end++] = byte;
      at += taken;
      position += taken;
      origins[view.end] = position;
      state = byte === BACKSLASH ? 0 : (next[state + (CLASS_OF[byte] as number)] as number);
      if (state >= accept) engine.hit(view.end, state);
      return true;
    },
    drop(bytes) {
      origins.copyWithin(0, bytes, view.end + 1);
      engine.drop(bytes);
    },
  };
}
