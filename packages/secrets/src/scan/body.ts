import { CLASS_OF } from '../automaton/alphabet.ts';
import { readEscape, SINGLE_ESCAPE } from '../text/unescape.ts';
import type { Catalogue } from './catalogue.ts';
import { Engine, type Match } from './engine.ts';

const BACKSLASH = 0x5c;
/** Bytes read between two looks at what was met; also the size of a slice for callers who share the thread. */
const SLICE = 32 * 1024;

/** What was found in a body, and the decoded text it was found in. */
export interface BodyScan {
  readonly matches: readonly Match[];
  readonly text: Uint8Array;
  /** The text is the body itself: nothing was escaped. */
  readonly verbatim: boolean;
}

let scratch = new Uint8Array(128 * 1024);

/**
 * Reads a whole body: decodes escapes and steps the automaton in one pass, then verifies. Yields after every slice, so
 * that a caller with a large body can let others run. The result is only valid until the next scan when `owned` is
 * false: the decoded text then lies in a buffer that is used again.
 */
export function* readBody(catalogue: Catalogue, body: Uint8Array, owned: boolean): Generator<undefined, BodyScan> {
  const verbatim = body.indexOf(BACKSLASH) < 0;
  const engine = new Engine(catalogue);
  const { view } = engine;
  view.bytes = verbatim ? body : textBuffer(body.length, owned);
  const reader = { at: 0, to: 0, state: 0 };
  while (reader.at < body.length) {
    const stop = Math.min(body.length, reader.at + SLICE);
    if (verbatim) readPlain(catalogue, engine, body, reader, stop);
    else readEscaped(catalogue, engine, body, reader, stop);
    view.end = reader.to;
    view.final = reader.at >= body.length;
    if (!engine.idle) engine.settle();
    if (!view.final) yield;
  }
  return { matches: engine.matches, text: view.bytes.subarray(0, view.end), verbatim };
}

function textBuffer(length: number, owned: boolean): Uint8Array {
  if (owned) return new Uint8Array(length);
  if (scratch.length < length) scratch = new Uint8Array(length * 2);
  return scratch;
}

interface Reader {
  /** Next byte of the body. */
  at: number;
  /** Next byte of the decoded text. */
  to: number;
  state: number;
}

function readPlain({ automaton }: Catalogue, engine: Engine, body: Uint8Array, reader: Reader, stop: number): void {
  const { next, accept } = automaton;
  let { at, state } = reader;
  while (at < stop) {
    state = next[state + (CLASS_OF[body[at++] as number] as number)] as number;
    if (state >= accept) engine.hit(at, state);
  }
  reader.at = at;
  reader.to = at;
  reader.state = state;
}

function readEscaped({ automaton }: Catalogue, engine: Engine, body: Uint8Array, reader: Reader, stop: number): void {
  const { next, accept } = automaton;
  const text = engine.view.bytes;
  let { at, to, state } = reader;
  while (at < stop) {
    let byte = body[at++] as number;
    if (byte === BACKSLASH) {
      const plain = SINGLE_ESCAPE[body[at] as number] as number;
      if (plain !== 0) {
        byte = plain;
        at++;
      } else {
        const escape = readEscape(body, at - 1, body.length, true);
        at += (escape >> 8) - 1;
        byte = escape & 0xff;
      }
    }
    text[to++] = byte;
    state = byte === BACKSLASH ? 0 : (next[state + (CLASS_OF[byte] as number)] as number);
    if (state >= accept) engine.hit(to, state);
  }
  reader.at = at;
  reader.to = to;
  reader.state = state;
}
