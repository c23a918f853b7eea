import { type Charset, charset, union, WORD } from '../../text/charset.ts';
import { afterHyphens, beginsApart, beginsHere } from '../boundary.ts';
import { crossEntropy } from '../cross-entropy.ts';
import { EVIDENCE, FOUND, MORE, NO, type Tail, type Verdict, type View } from '../view.ts';

const FULL_STOP = 0x2e;
const HYPHEN = 0x2d;
const HYPHENS = charset('-');

/** One piece of a token: fixed bytes, or a run of `min` to `max` bytes of a set. */
interface Segment {
  readonly literal: string | null;
  readonly set: Charset;
  readonly min: number;
  readonly max: number;
}

/**
 * The form of a token, written as a small subset of a regular expression that is matched without ever going back:
 * literal characters, and classes `[...]{n}` or `[...]{min,max}`. `<...>` marks the literal that the automaton looks
 * for; without it, it is the literal the form begins with. A class takes all it can, so what follows it must begin
 * with a byte the class does not hold (checked when the form is compiled), which keeps matching linear.
 *
 *     ghp_[A-Za-z0-9]{36}
 *     [A-Za-z0-9]{14}<.atlasv1.>[A-Za-z0-9_=-]{60,80}
 *     AccountKey=^[A-Za-z0-9+/]{86}==
 *
 * `^` says where the value begins when what the automaton looks for is not part of it.
 */
export interface Shape {
  readonly keyword: string;
  readonly source: string;
  readonly before: readonly Segment[];
  readonly after: readonly Segment[];
  /** The keyword belongs to the value. */
  readonly inclusive: boolean;
  /** Bytes that can follow the keyword; null when nothing needs to. */
  readonly follows: Charset | null;
  /** Bytes that would make the token a part of a longer word. */
  readonly continues: Charset;
  readonly tail: Tail;
  readonly hyphenated: boolean;
  /** The keyword begins with punctuation, so any character may precede it. */
  readonly detached: boolean;
}

const SHAPES = new Map<string, Shape>();

/** A form is compiled at its first use: compiling all of them is most of a program's start time. */
export function shapeOf(source: string): Shape {
  const known = SHAPES.get(source);
  if (known !== undefined) return known;
  const shape = compileShape(source);
  SHAPES.set(source, shape);
  return shape;
}

/** The literal that the automaton looks for, without compiling the form. */
export function keywordOf(source: string): string {
  return (/<([^>]+)>/.exec(source) ?? /^\^?([^[<^]+)/.exec(source))?.[1] ?? '';
}

export function compileShape(source: string): Shape {
  const segments = parse(source);
  let anchor = segments.findIndex((segment) => segment.min === -1);
  if (anchor < 0) anchor = 0;
  const keyword = segments[anchor]?.literal;
  if (keyword === null || keyword === undefined || keyword.length < 2) {
    throw new Error(`the form "${source}" has no literal to look for`);
  }
  const after = segments.slice(anchor + 1);
  const before = segments.slice(0, anchor).reverse();
  if (needsToGoBack(after, 0) || needsToGoBack(before, -1))
    throw new Error(`the form "${source}" would need to go back`);
  const runs = segments.filter((segment) => segment.literal === null);
  const last = after.at(-1) ?? segments.at(-1);
  return {
    keyword,
    source,
    inclusive: !source.replaceAll(/\[[^\]]*\]/g, '').includes('^'),
    before,
    after,
    follows: followersOf(after),
    continues: last?.literal === null ? union(WORD, last.set) : WORD,
    tail: { type: 'run', set: bytesOfAll(segments), joiners: null },
    hyphenated: runs[0]?.set[HYPHEN] === 1,
    detached: anchor === 0 && !/^[A-Za-z0-9]/.test(keyword),
  };
}

/** Whether a run of variable length could include the beginning of the next piece (`edge`: its first byte, or its last). */
function needsToGoBack(segments: readonly Segment[], edge: 0 | -1): boolean {
  return segments.some((segment, at) => {
    const next = segments[at + 1];
    if (segment.literal !== null || segment.min === segment.max || next === undefined) return false;
    if (next.literal !== null)
      return segment.set[next.literal.charCodeAt(edge === 0 ? 0 : next.literal.length - 1)] === 1;
    return next.set.some((flag, byte) => flag === 1 && segment.set[byte] === 1);
  });
}

function followersOf(after: readonly Segment[]): Charset | null {
  const [first] = after;
  if (first === undefined || (first.literal === null && first.min === 0)) return null;
  return first.literal === null ? first.set : bytesOf(first.literal.charAt(0));
}

/** Bytes of all pieces, and the hyphen. */
function bytesOfAll(segments: readonly Segment[]): Charset {
  const all = union(...segments.map(({ set }) => set), HYPHENS);
  for (const { literal } of segments) addBytes(all, literal ?? '');
  return all;
}

function bytesOf(text: string): Charset {
  const set = new Uint8Array(256);
  addBytes(set, text);
  return set;
}

function addBytes(set: Charset, text: string): void {
  for (let at = 0; at < text.length; at++) set[text.charCodeAt(at)] = 1;
}

function parse(source: string): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  while (at < source.length) {
    if (source[at] === '[') {
      const close = source.indexOf(']', at);
      const count = /^\{(\d+)(?:,(\d+))?\}/.exec(source.slice(close + 1));
      if (close < 0 || count === null) throw new Error(`a class without a count in "${source}"`);
      const min = Number(count[1]);
      segments.push({ literal: null, set: charset(source.slice(at + 1, close)), min, max: Number(count[2] ?? min) });
      at = close + 1 + count[0].length;
    } else if (source[at] === '<') {
      const close = source.indexOf('>', at);
      segments.push({ literal: source.slice(at + 1, close), set: new Uint8Array(0), min: -1, max: 0 });
      at = close + 1;
    } else {
      const from = source[at] === '^' ? at + 1 : at;
      const stop = /[[<^]/.exec(source.slice(from));
      const to = stop === null ? source.length : from + stop.index;
      if (to > from) segments.push({ literal: source.slice(from, to), set: new Uint8Array(0), min: 0, max: 0 });
      at = to;
    }
  }
  return segments;
}

/** Matches a form at the position of its keyword. The case of letters counts, unlike in the automaton. */
export function matchShape(shape: Shape, view: View, keywordAt: number): Verdict {
  if (!matchLiteral(view, shape.keyword, keywordAt)) return NO;
  let at = keywordAt + shape.keyword.length;
  const from = shape.inclusive ? matchBefore(shape, view, keywordAt) : at;
  if (from < 0) return NO;
  const begin = Math.min(from, keywordAt);
  if (!shape.detached && !(shape.hyphenated ? beginsApart : beginsHere)(view, begin)) return NO;
  for (const segment of shape.after) {
    const room = keywordAt + EVIDENCE - at;
    if (room <= 0) return view.found(from, at, shape.tail);
    if (segment.literal !== null) {
      for (let index = 0; index < segment.literal.length; index++, at++) {
        if (at >= view.end) return view.final ? NO : view.more(from);
        if (view.bytes[at] !== segment.literal.charCodeAt(index)) return NO;
      }
      continue;
    }
    const stop = view.runEnd(segment.set, at, Math.min(segment.max, room));
    if (stop - at === room) return view.found(from, stop, shape.tail);
    if (stop - at < segment.max && view.waits(stop)) return view.more(readsLikeWord(view, from) ? view.end : from);
    if (stop - at < segment.min) return NO;
    at = stop;
  }
  const after = shape.continues[HYPHEN] === 1 ? afterHyphens(view, at) : at;
  if (view.waits(after)) return view.more(from);
  if (shape.continues[view.at(after)] === 1) return NO;
  while (view.bytes[at - 1] === FULL_STOP) at--;
  return view.found(from, at);
}

/** Bits per character under which this many small letters, a possible beginning (`pat…`), are a word, and are not delayed. */
const WORD_BITS = 4.5;
const WORD_LENGTH = 5;
const LONGEST_WORD = 12;
const SMALL = charset('a-z');

function readsLikeWord(view: View, from: number): boolean {
  const length = view.end - from;
  if (length < WORD_LENGTH || length > LONGEST_WORD || view.runEnd(SMALL, from, length) < view.end) return false;
  return crossEntropy(view.bytes, from, view.end) < WORD_BITS;
}

function matchLiteral(view: View, literal: string, from: number): boolean {
  for (let index = 0; index < literal.length; index++) {
    if (view.bytes[from + index] !== literal.charCodeAt(index)) return false;
  }
  return true;
}

/** Start of the token whose keyword is at `keywordAt`; -1 when the preceding text does not fit. */
export type StartOf = (view: View, keywordAt: number) => number;

/** One shared function for all tokens that begin with their keyword, so that it need only be called once. */
export function startOf(shape: Shape): StartOf {
  if (shape.before.length === 0 && !shape.detached) return shape.hyphenated ? startsApart : startsHere;
  const apart = shape.before.every(({ literal, min, max }) => literal !== null || min === max);
  const length = shape.before.reduce((sum, { literal, min }) => sum + (literal === null ? min : literal.length), 0);
  return (view, keywordAt) => {
    // The byte before a token decides faster than the bytes in it.
    if (apart && !shape.detached && startsHere(view, keywordAt - length) < 0) return -1;
    const from = matchBefore(shape, view, keywordAt);
    if (from < 0 || shape.detached) return from;
    return shape.hyphenated ? startsApart(view, from) : startsHere(view, from);
  };
}

function startsHere(view: View, at: number): number {
  return beginsHere(view, at) ? at : -1;
}

function startsApart(view: View, at: number): number {
  return beginsApart(view, at) ? at : -1;
}

/** Start of the part before the keyword, or -1. */
function matchBefore(shape: Shape, view: View, keywordAt: number): number {
  let at = keywordAt;
  for (const segment of shape.before) {
    if (segment.literal !== null) {
      at -= segment.literal.length;
      if (at < view.floor || !matchLiteral(view, segment.literal, at)) return -1;
      continue;
    }
    const start = view.runStart(segment.set, at, segment.max);
    if (at - start < segment.min) return -1;
    at = start;
  }
  return at;
}

/** What may be between the key and the next member of a configuration. */
const BETWEEN = charset('"\'`,; \t\r\n');
const MOST_BETWEEN = 32;
const NEXT_MEMBER = 'authDomain';
/** Names of variables whose values a build writes into the pages of a site. */
const PUBLIC_NAME =
  /(?:NEXT_PUBLIC|NUXT_PUBLIC|EXPO_PUBLIC|PUBLIC|VITE|REACT_APP|VUE_APP|GATSBY)_FIREBASE_(?:WEB_)?API_KEY["']?\s*[:=]\s*["'`]?$/;
const LONGEST_NAME = 64;

/**
 * Whether a key of Google's is the one of a Firebase web configuration, which every page of the site contains: `authDomain` follows
 * it, or its name says so. `MORE` where the text ends before that is clear.
 */
export function checkFirebase(view: View): Verdict {
  const { from, to } = view;
  if (PUBLIC_NAME.test(view.text(Math.max(view.floor, from - LONGEST_NAME), from))) return FOUND;
  const next = view.runEnd(BETWEEN, to, MOST_BETWEEN);
  const spelled = view.spelled(NEXT_MEMBER, next);
  if (spelled === NEXT_MEMBER.length) return FOUND;
  return next - to < MOST_BETWEEN && view.waits(next + spelled) ? MORE : NO;
}
