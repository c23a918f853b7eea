import { CLASS_OF } from '../automaton/alphabet.ts';
import type { Automaton } from '../automaton/automaton.ts';
import { ALPHANUMERIC } from '../text/charset.ts';
import { readEscape, SINGLE_ESCAPE } from '../text/unescape.ts';
import { crossEntropy } from '../verify/cross-entropy.ts';
import type { Catalogue } from './catalogue.ts';
import { Engine, type Match } from './engine.ts';

const BACKSLASH = 0x5c;
/**
 * Bytes read between two looks at what was met; also the size of a slice for callers who share the thread. Most content takes some
 * nanoseconds a byte; content that repeats the beginning of a secret takes up to a microsecond.
 */
const SLICE = 4 * 1024;

/** What was found in a body, and the decoded text it was found in. */
export interface BodyScan {
  readonly matches: readonly Match[];
  /** Where there are no matches, what comes after the text's end is of earlier ones. */
  readonly text: Uint8Array;
  /** The text is the body itself: nothing was escaped. */
  readonly verbatim: boolean;
}

let scratch = new Uint8Array(128 * 1024);
/** Room for the hits of a body that is read without a pause: most bodies have a few. */
const HITS = new Int32Array(256);
/**
 * Accepting states of one slice, each after the byte it was reached at: at most one a byte. The scanning loops only note
 * them here, because a call in their midst halves their speed.
 */
const reached = new Int32Array(2 * SLICE);

/**
 * Reads a whole body: decodes escapes and steps the automaton in one pass, then verifies. Yields after every slice, so that other
 * work can run during a large body. When `owned` is false, the result is only valid until the next scan: the decoded text is in a
 * reused buffer.
 */
export function* readBody(catalogue: Catalogue, body: Uint8Array, owned: boolean): Generator<undefined, BodyScan> {
  const verbatim = body.indexOf(BACKSLASH) < 0;
  const engine = owned ? new Engine(catalogue, true) : new Engine(catalogue, true, HITS);
  const { view } = engine;
  view.bytes = verbatim ? body : textBuffer(body.length, owned);
  const reader = { at: 0, to: 0, state: 0, escapeAt: -1 };
  while (reader.at < body.length) {
    const stop = Math.min(body.length, reader.at + SLICE);
    const count = verbatim
      ? readPlain(catalogue.automaton, body, reader, stop)
      : readEscaped(catalogue.automaton, body, view.bytes, reader, stop);
    view.end = reader.to;
    view.final = reader.at >= body.length;
    engine.extend();
    for (let index = 0; index < count; index += 2) engine.hit(reached[index] as number, reached[index + 1] as number);
    if (!engine.idle) engine.settle();
    if (!view.final) yield;
  }
  if (engine.matches.length === 0) return { matches: engine.matches, text: view.bytes, verbatim };
  const text = view.bytes.subarray(0, view.end);
  const whole = Buffer.from(text.buffer, text.byteOffset, text.length);
  return { matches: yield* matchRepeatedValues(whole, engine.matches), text, verbatim };
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
  /** The next backslash, if it is already known. */
  escapeAt: number;
}

/** Reads a slice without an escape. Returns the number of entries in `reached`. */
function readPlain({ next, accept }: Automaton, body: Uint8Array, reader: Reader, stop: number): number {
  let { at, state } = reader;
  let count = 0;
  while (at < stop) {
    state = next[state + (CLASS_OF[body[at++] as number] as number)] as number;
    if (state >= accept) {
      reached[count++] = at;
      reached[count++] = state;
    }
  }
  reader.at = at;
  reader.to = at;
  reader.state = state;
  return count;
}

/** Reads a slice and decodes it into `text`. Returns the number of entries in `reached`. */
function readEscaped(
  { next, accept }: Automaton,
  body: Uint8Array,
  text: Uint8Array,
  reader: Reader,
  stop: number,
): number {
  let { at, to, state, escapeAt } = reader;
  let count = 0;
  while (at < stop) {
    if (escapeAt < at) escapeAt = nextEscape(body, at);
    const until = Math.min(escapeAt, stop);
    while (at < until) {
      const byte = body[at++] as number;
      text[to++] = byte;
      state = next[state + (CLASS_OF[byte] as number)] as number;
      if (state >= accept) {
        reached[count++] = to;
        reached[count++] = state;
      }
    }
    if (at >= stop) break;
    let byte = at + 1 < body.length ? (SINGLE_ESCAPE[body[at + 1] as number] as number) : 0;
    if (byte !== 0) at += 2;
    else {
      const escape = readEscape(body, at, body.length, true);
      at += escape >> 8;
      byte = escape & 0xff;
    }
    text[to++] = byte;
    state = byte === BACKSLASH ? 0 : (next[state + (CLASS_OF[byte] as number)] as number);
    if (state >= accept) {
      reached[count++] = to;
      reached[count++] = state;
    }
  }
  reader.at = at;
  reader.to = to;
  reader.state = state;
  reader.escapeAt = escapeAt;
  return count;
}

/** Bytes checked one by one: where escapes are close together, that is faster than a native search. */
const NEAR = 8;

/** The first backslash from `from` on; the end of the body when there is none. */
function nextEscape(body: Uint8Array, from: number): number {
  const near = Math.min(body.length, from + NEAR);
  for (let at = from; at < near; at++) if (body[at] === BACKSLASH) return at;
  const found = body.indexOf(BACKSLASH, near);
  return found < 0 ? body.length : found;
}

/** Maximum number of values searched again: the time stays linear for any body. */
const MOST_VALUES = 16;
/** A shorter value, or one with fewer bits a character, may be a word that occurs independently. */
const LEAST = 8;
const BITS = 5;
/** Bytes searched between two pauses. */
const REPEATED_VALUE_SLICE = 512 * 1024;

/**
 * Finds further occurrences of certain findings' values without an identifying context: a password as the user's name, in a log
 * line, in a table. Masking only the identified one would still show the value. Yields between slices; returns all matches, in
 * order.
 */
function* matchRepeatedValues(text: Buffer, matches: readonly Match[]): Generator<undefined, readonly Match[]> {
  const values = new Map<string, Match>();
  for (const match of matches) {
    if (values.size === MOST_VALUES) break;
    if (match.rule.confidence !== 'high' || match.to - match.from < LEAST) continue;
    if (crossEntropy(text, match.from, match.to) >= BITS)
      values.set(text.toString('latin1', match.from, match.to), match);
  }
  const more: Match[] = [];
  for (const [value, { rule }] of values) {
    for (let from = 0; from < text.length; from += REPEATED_VALUE_SLICE) {
      if (from > 0) yield;
      const part = text.subarray(from, from + REPEATED_VALUE_SLICE + value.length - 1);
      for (let at = part.indexOf(value, 0, 'latin1'); at >= 0; at = part.indexOf(value, at + value.length, 'latin1')) {
        const [start, end] = [from + at, from + at + value.length];
        if (standsAlone(text, start, end)) more.push({ rule, from: start, to: end, committed: end, closed: true });
      }
    }
  }
  return merge(matches, more);
}

function standsAlone(text: Buffer, from: number, to: number): boolean {
  return ALPHANUMERIC[text[from - 1] ?? 0] === 0 && ALPHANUMERIC[text[to] ?? 0] === 0;
}

/** The first of overlapping matches stays; those found by their own form come first. */
function merge(matches: readonly Match[], more: readonly Match[]): readonly Match[] {
  const sorted = [...more].sort((a, b) => a.from - b.from);
  const merged: Match[] = [];
  let next = 0;
  let end = 0;
  const addUntil = (limit: number): void => {
    for (; next < sorted.length && (sorted[next] as Match).from < limit; next++) {
      const candidate = sorted[next] as Match;
      if (candidate.from < end || candidate.to > limit) continue;
      merged.push(candidate);
      end = candidate.to;
    }
  };
  for (const match of matches) {
    addUntil(match.from);
    merged.push(match);
    end = match.to;
  }
  addUntil(Number.MAX_SAFE_INTEGER);
  return merged;
}
