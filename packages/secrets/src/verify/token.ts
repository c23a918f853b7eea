import { type Charset, charset, HEX, union, WORD } from '../text/charset.ts';
import { afterHyphens, beginsApart, beginsHere, checkEncoded } from './boundary.ts';
import { crossEntropy, readsLikeWords } from './cross-entropy.ts';
import { isMonotonous, isPlaceholder } from './placeholder.ts';
import type { TokenRule } from './rule.ts';
import { EVIDENCE, FOUND, MORE, NO, type Tail, type Verdict, type View } from './view.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 6;

/** CRC-32 of what precedes, in base 62 and six digits, at the end of a token: GitHub's and npm's own check. */
export function crc32Base62(body: string): boolean {
  return body.length > LENGTH && body.endsWith(checksumOf(body.slice(0, -LENGTH)));
}

/** The six characters that end a token whose random part is `random`. */
export function checksumOf(random: string): string {
  // Loaded at the first token with a checksum: few texts contain one.
  let rest = process.getBuiltinModule('node:zlib').crc32(random);
  let digits = '';
  while (digits.length < LENGTH) {
    digits = (DIGITS[rest % 62] ?? '0') + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

const ENCODED = charset('A-Za-z0-9+/_-');

/** Bytes for looking back: more are kept after a stream's release. Longer paths and names exist, but read as words. */
const RUN = 64;
/** Bits a character. Of base64 of a picture, of sound, of anything compressed or encrypted it is 6.3 at least, of hexadecimal 5.5 at most. */
const BITS = 5.9;

/**
 * Whether the text at `at` continues with a long run of encoded bytes. Every short form occurs in such runs by chance: in one
 * picture of three, of half a megabyte.
 */
function goesOnWithEncoded(view: View, at: number): boolean {
  return at - view.runStart(ENCODED, at, RUN) >= RUN && crossEntropy(view.bytes, at - RUN, at) >= BITS;
}

/**
 * Checks one form of a token rule at its keyword. A match is no finding when it is a placeholder, a part of a picture, or reads
 * like words although the rule requires randomness; a valid checksum decides either way.
 */
export function checkToken(rule: TokenRule, shape: Shape, view: View, from: number): Verdict {
  const verdict = matchShape(shape, view, from);
  if (verdict !== FOUND) return verdict;
  const bodyFrom = shape.before.length > 0 || !shape.inclusive ? view.from : from + shape.keyword.length;
  if (rule.checksum === 'crc32-base62' && crc32Base62(view.text(bodyFrom, view.to))) return FOUND;
  if (rule.except?.some((beginning) => view.text(view.from, view.to).startsWith(beginning))) return NO;
  if (isPlaceholder(view, bodyFrom, view.to) || goesOnWithEncoded(view, view.from)) return NO;
  if (
    rule.crossEntropy !== undefined &&
    crossEntropy(view.bytes, weighFrom(shape, view, from, bodyFrom), view.to) < rule.crossEntropy
  )
    return NO;
  const isPublic = rule.isPublic?.(view) ?? NO;
  if (isPublic === MORE) return view.more(view.from);
  return isPublic === FOUND ? NO : FOUND;
}

/** A value of so many bytes after a keyword in the middle is weighed alone: the words before it are not generated. */
const ALONE = 16;

function weighFrom(shape: Shape, view: View, from: number, bodyFrom: number): number {
  const after = from + shape.keyword.length;
  return shape.inclusive && view.to - after >= ALONE ? after : bodyFrom;
}

/** Letters that are looked for at least: fewer begin too many words. */
const LEAST = 5;

/**
 * The first letters of every token of a form in base64, as in cluster manifests; null where the form's literal beginning is too
 * short.
 */
export function readWrappedBeginning(form: string): string | null {
  const keyword = keywordOf(form);
  if (!form.startsWith(keyword) || form.includes('^')) return null;
  const letters = Buffer.from(keyword)
    .toString('base64')
    .slice(0, Math.floor((keyword.length * 8) / 6));
  return letters.length < LEAST ? null : letters;
}

/** Checks a run of base64 that begins like a token of a form: what it decodes to has to begin with one. */
export function checkWrapped(rule: TokenRule, shape: Shape, letters: string, view: View, from: number): Verdict {
  if (!view.spells(letters, from) || !beginsApart(view, from)) return NO;
  return checkEncoded(view, from, from, (inner) =>
    // Only half of the keyword's last letter may have arrived.
    !inner.final && inner.end < shape.keyword.length ? MORE : checkToken(rule, shape, inner, 0),
  );
}

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
interface Shape {
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

const BASE64URL = charset('A-Za-z0-9_=-');
const TAIL: Tail = { type: 'run', set: BASE64URL, joiners: charset('./+') };
/** Members of a JOSE header (RFC 7515 section 4.1, RFC 7516 section 4.1). */
const JOSE = /^\s*\{\s*"(?:alg|typ|kid|enc|jku|jwk|x5u|x5c|x5t|x5t#S256|cty|crit|zip|b64|epk|apu|apv|ver|p2s|p2c)"/;
/**
 * Public by design: the token of the introduction at jwt.io, the demonstration keys of local Supabase stacks, and the anonymous key
 * of a Supabase project, which every page of the project contains.
 */
const WELL_KNOWN = [
  /"sub":"1234567890","name":"John Doe"/,
  /"iss":"supabase-demo"/,
  /^\{"iss":"supabase","ref":"[a-z]{20}","role":"anon"/,
];

/** A JSON Web Token: a first part that decodes to a JOSE header, and a second one. */
export function checkJwt(view: View, from: number): Verdict {
  if (view.at(from) !== 0x65 || view.at(from + 1) !== 0x79 || view.at(from + 2) !== 0x4a) return NO;
  if (!beginsHere(view, from) || view.at(from - 1) === 0x2e) return NO;
  const headerTo = view.runEnd(BASE64URL, from, EVIDENCE);
  if (headerTo - from === EVIDENCE) return hasHeader(view, from, headerTo) ? view.found(from, headerTo, TAIL) : NO;
  if (view.waits(headerTo)) return view.more(from);
  if (view.at(headerTo) !== 0x2e || !hasHeader(view, from, headerTo)) return NO;
  const room = EVIDENCE + 24 - (headerTo + 1 - from);
  const bodyTo = view.runEnd(BASE64URL, headerTo + 1, room);
  if (bodyTo - headerTo - 1 < room && view.waits(bodyTo)) return view.more(from);
  if (bodyTo - headerTo < 12 || isMonotonous(view.bytes, headerTo + 1, bodyTo)) return NO;
  if (isWellKnown(view.text(headerTo + 1, bodyTo))) return NO;
  return view.found(from, bodyTo, TAIL);
}

function hasHeader(view: View, from: number, to: number): boolean {
  return JOSE.test(Buffer.from(view.text(from, to), 'base64url').toString('latin1'));
}

function isWellKnown(body: string): boolean {
  const text = Buffer.from(body, 'base64url').toString('latin1');
  return WELL_KNOWN.some((pattern) => pattern.test(text));
}

const BASE32 = charset('A-Z2-7');
const ROLES = charset('OACUNX');
const NKEY_LENGTH = 58;
const WITHIN = 48;

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

/**
 * A NATS seed: `S`, the letter of a role, then base32, 58 characters in all. It has no longer beginning of its own to
 * look for, so it is sought after a word that speaks of it: `nkey`, `seed`, `nk -gen`.
 */
export function checkNkeySeed(view: View, from: number, to: number): Verdict {
  if (!beginsHere(view, from) && !isCapital(view.at(from))) return NO;
  let at = to;
  while (at < to + WITHIN) {
    if (view.waits(at)) return view.more(at);
    if (at >= view.end) return NO;
    if (view.bytes[at] !== 0x53 || !beginsHere(view, at)) {
      at++;
      continue;
    }
    const end = view.runEnd(BASE32, at, NKEY_LENGTH + 1);
    if (view.waits(end)) return view.more(at);
    if (end - at === NKEY_LENGTH && ROLES[view.at(at + 1)] === 1 && !isMonotonous(view.bytes, at, end)) {
      return view.found(at, end);
    }
    at = Math.max(end, at + 1);
  }
  return NO;
}

const LOOKBACK = 128;
/** Bytes of a cookie's value (RFC 6265 section 4.1.1), except those that quote it in code and markup. */
const VALUE = charset('!#$%&*+./0-9:=?@A-Z^_a-z|~-');
const COOKIE_TAIL: Tail = { type: 'run', set: VALUE, joiners: null };
const NAME = charset('A-Za-z0-9_.-');
const LEAST_COOKIE = 16;
const LEAST_HEX = 24;
/** Bits a character from which a value counts as generated. */
const COOKIE_LEAST_BITS = 5.2;
/** Names that only sessions have; any other needs a word for cookies before it. */
const INDICATIVE =
  /(?:jsessionid|phpsessid|asp\.net_sessionid|aspsessionid[a-z]*|connect\.sid|laravel_session|ci_session)=$/i;
const COOKIE = /cookie/i;

/** `Cookie: …; session=…`, `JSESSIONID=…`: anybody with the value can act as its owner. */
export function checkCookie(view: View, from: number, to: number): Verdict {
  const start = view.at(to - 1) === 0x3d ? to : view.runEnd(NAME, to, 16) + 1;
  if (view.waits(start - 1)) return view.more(view.end);
  if (view.at(start - 1) !== 0x3d) return NO;
  const end = view.runEnd(VALUE, start, EVIDENCE);
  if (readsLikeWords(view, start, end)) return NO;
  const before = view.text(Math.max(view.floor, from - LOOKBACK), start);
  if (!INDICATIVE.test(before) && !COOKIE.test(before)) return NO;
  const open = end - start === EVIDENCE;
  if (!open && view.waits(end)) return view.more(start);
  const length = end - start;
  if (length < LEAST_COOKIE || isPlaceholder(view, start, end)) return NO;
  const hex = length >= LEAST_HEX && view.runEnd(HEX, start, length) === end;
  return hex || crossEntropy(view.bytes, start, end) >= COOKIE_LEAST_BITS
    ? view.found(start, end, open ? COOKIE_TAIL : null)
    : NO;
}
