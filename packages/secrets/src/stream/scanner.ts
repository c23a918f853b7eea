import { hash } from 'node:crypto';
import { type Automaton, CLASS_OF } from '../scan/automaton.ts';
import { type Catalogue, compileCatalogue } from '../scan/catalogue.ts';
import { Engine, type Match } from '../scan/engine.ts';
import { digestOf, type Finding, maskOf, type Responses, runToEnd } from '../scan/response.ts';
import { ALPHANUMERIC } from '../text/charset.ts';
import { pointersOf, positionsInBody } from '../text/pointer.ts';
import { readEscape, SINGLE_ESCAPE } from '../text/unescape.ts';
import { crossEntropy } from '../verify/cross-entropy.ts';
import { KINDS, type RuleCard } from '../verify/rule.ts';
import { type Channel, createChannel } from './channel.ts';
import { type Encoding, WELL_KNOWN } from './reader.ts';

export interface ScannerOptions {
  /** Also look for generated values with indicative names (policy `secrets.entropy`). Default true. */
  readonly entropy?: boolean;
  /** SHA-256 digests, hexadecimal, of values that are no secrets here (policy `secrets.allow`). */
  readonly allow?: readonly string[];
  /** Key of the digests in findings. */
  readonly key: Uint8Array;
}

export interface Scanner {
  readonly rules: readonly RuleCard[];
  /** Findings of a text, with offsets in UTF-16 units. */
  scanText(text: string): readonly Finding[];
  /** Scans a body in one go. For bodies of more than 256 kB use `scanBodyInSlices`. */
  scanBody(body: Uint8Array, contentType?: string): BodyReport;
  /**
   * Scans a body in slices of some tenths of a millisecond, and awaits `pause` between them. Of more than 4096 findings the
   * rest is reported once for each rule, which counts them and bears no pointer; all are masked.
   */
  scanBodyInSlices(body: Uint8Array, contentType: string | undefined, pause: () => Promise<void>): Promise<BodyReport>;
  /** The same for callers who take the steps themselves. */
  scanBodyInSteps(body: Uint8Array, contentType?: string): Generator<undefined, BodyReport>;
  /**
   * A scanner of one text that arrives in pieces, for instance one choice of a streamed answer. With `latin1`, each of its
   * characters is one byte.
   */
  channel(responses: Responses, pointer: string | null, encoding?: Encoding): Channel;
}

const CATALOGUES: { [entropy: string]: Catalogue } = {};

/** The rules are compiled on first use and shared by all scanners of the process. */
function catalogueFor(entropy: boolean): Catalogue {
  CATALOGUES[String(entropy)] ??= compileCatalogue(entropy);
  return CATALOGUES[String(entropy)] as Catalogue;
}

/** Findings of a body scanned in slices that are reported one by one: it may be of any length, and made of nothing else. */
const ONE_BY_ONE = 4096;
const OPAQUE = /^\s*(?:image|audio|video|font)\//i;
const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\b/i;

export function createScanner(options: ScannerOptions): Scanner {
  const catalogue = catalogueFor(options.entropy ?? true);
  const allowed = new Set(options.allow?.map((digest) => digest.toLowerCase()));

  /** @param shared others run in its pauses, and read bodies of their own. */
  function* scan(body: Uint8Array, json: boolean, shared: boolean): Generator<undefined, BodyReport> {
    const read = yield* readBody(catalogue, body, shared);
    if (read.matches.length === 0) return { findings: [], mask: () => body };
    const most = shared ? ONE_BY_ONE : Number.POSITIVE_INFINITY;
    return yield* reportOf(body, read, { isJson: json, key: options.key, allowed, most });
  }

  function* scanBodyInSteps(body: Uint8Array, contentType?: string): Generator<undefined, BodyReport> {
    if (OPAQUE.test(contentType ?? '')) return { findings: [], mask: () => body };
    return yield* scan(body, isJson(body, contentType), true);
  }

  return {
    rules: catalogue.rules,
    scanBodyInSteps,
    channel: (responses, pointer, encoding = 'utf8') =>
      createChannel({ catalogue, responses, key: options.key, allowed, pointer, encoding }),
    scanText(text) {
      const body = Buffer.from(text, 'utf8');
      const { findings } = runToEnd(scan(body, false, false));
      return body.length === text.length ? findings : inUnits(findings, body);
    },
    scanBody(body, contentType) {
      return OPAQUE.test(contentType ?? '')
        ? { findings: [], mask: () => body }
        : runToEnd(scan(body, isJson(body, contentType), false));
    },
    async scanBodyInSlices(body, contentType, pause) {
      const run = scanBodyInSteps(body, contentType);
      for (let step = run.next(); ; step = run.next()) {
        if (step.done === true) return step.value;
        await pause();
      }
    },
  };
}

function isJson(body: Uint8Array, contentType: string | undefined): boolean {
  return contentType === undefined ? body[0] === 0x7b || body[0] === 0x5b : JSON_TYPE.test(contentType);
}

/** The offsets of findings, which are in ascending order, in UTF-16 units. */
function inUnits(findings: readonly Finding[], body: Buffer): readonly Finding[] {
  let [at, units] = [0, 0];
  const unitsTo = (to: number): number => {
    units += body.toString('utf8', at, to).length;
    at = to;
    return units;
  };
  return findings.map((finding) => ({ ...finding, start: unitsTo(finding.start), end: unitsTo(finding.end) }));
}

/** Line ends, terminal sequences and other control characters: one line stays one line and cannot mislead. */
const CONTROLS = /\s*[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+\s*/gu;

let scanner: Scanner | null = null;

/**
 * A text with possible secrets masked, for any traffic policy: a detected secret is never logged in clear (log-15). All log lines
 * of our programs pass through here, because sentences quote addresses, headers and answers of other authors.
 */
export function maskText(text: string): string {
  scanner ??= createScanner({ key: new Uint8Array(0) });
  const { findings, mask } = scanner.scanBody(Buffer.from(text), 'text/plain');
  return findings.length === 0 ? text : Buffer.from(mask()).toString();
}

/** What an operator reads of a text: `maskText`, in one line. */
export function operatorLine(text: string): string {
  return maskText(text.replaceAll(CONTROLS, ' ').trim());
}

/** The findings in a body. */
export interface BodyReport {
  /** One by one, or so many of them, and of the rest one a rule that counts them. */
  readonly findings: readonly Finding[];
  /** The body with every finding replaced by its mask and all other bytes unchanged. */
  readonly mask: () => Uint8Array;
}

interface ReportOptions {
  readonly isJson: boolean;
  /** Key of the digests in findings. */
  readonly key: Uint8Array;
  /** SHA-256 digests, hexadecimal, of values that are no secrets here. */
  readonly allowed: ReadonlySet<string>;
  /** Findings that are reported one by one. */
  readonly most: number;
}

/** Matches between two pauses: each is digested, which takes a microsecond or two. */
const MATCHES_PER_SLICE = 128;
const MASKS = KINDS.map((kind) => Buffer.from(maskOf(kind)));

/** A reported match, its index among all kept ones, and the number that it represents. */
interface Reported {
  readonly match: Match;
  readonly digest: string;
  readonly index: number;
  occurrences: number;
}

/** Every masked range: in arrays of numbers, because a body may consist only of them. */
interface Ranges {
  /** First byte of each range and the one after its last. */
  readonly edges: Float64Array;
  /** The index of each range's kind in `KINDS`. */
  readonly kinds: Uint8Array;
}

/**
 * Reports the findings of a body, their positions, and the masked body. Pauses now and then, and stores little of each match, so
 * that a body of millions of secrets neither delays other calls nor takes many times its size.
 */
export function* reportOf(body: Uint8Array, scan: BodyScan, options: ReportOptions): Generator<undefined, BodyReport> {
  const { reported, ranges } = yield* keep(scan, options);
  if (!scan.verbatim) yield* positionsInBody(body, ranges.edges);
  const findings = reported.map(({ match: { rule, from, to }, digest, index, occurrences }): Finding => {
    const [start, end] = [ranges.edges[2 * index] as number, ranges.edges[2 * index + 1] as number];
    const { id, kind, confidence } = rule;
    return { rule: id, kind, confidence, pointer: null, start, end, length: to - from, digest, occurrences };
  });
  return {
    findings: options.isJson ? yield* placeFindings(body, findings, options.most) : findings,
    mask: () => maskRanges(body, ranges),
  };
}

/** Leaves out the values that are no secrets here. */
function* keep(
  { matches, text }: BodyScan,
  { key, allowed, most }: ReportOptions,
): Generator<undefined, { readonly reported: readonly Reported[]; readonly ranges: Ranges }> {
  const edges = new Float64Array(2 * matches.length);
  const kinds = new Uint8Array(matches.length);
  const reported: Reported[] = [];
  const counting = new Map<Match['rule'], Reported>();
  let count = 0;
  for (let index = 0; index < matches.length; index++) {
    if (index % MATCHES_PER_SLICE === MATCHES_PER_SLICE - 1) yield;
    const match = matches[index] as Match;
    const { rule, from, to } = match;
    const value = text.subarray(from, to);
    const allowance = hash('sha256', value);
    if (WELL_KNOWN.has(allowance) || allowed.has(allowance)) continue;
    const counted = counting.get(rule);
    if (counted !== undefined) counted.occurrences++;
    else {
      const one = { match, digest: digestOf(key, value), index: count, occurrences: 1 };
      reported.push(one);
      if (count >= most) counting.set(rule, one);
    }
    edges[2 * count] = from;
    edges[2 * count + 1] = to;
    kinds[count] = KINDS.indexOf(rule.kind);
    count++;
  }
  return { reported, ranges: { edges: edges.subarray(0, 2 * count), kinds: kinds.subarray(0, count) } };
}

/**
 * Adds the pointers of the individually reported ones. Ranges before them are included, so that no pointer shows a name that is a
 * secret.
 */
function* placeFindings(body: Uint8Array, findings: readonly Finding[], most: number): Generator<undefined, Finding[]> {
  const ranges = findings.slice(0, most).map(({ start, end, kind }) => ({ start, end, mask: maskOf(kind) }));
  const pointers = yield* pointersOf(body, ranges);
  return findings.map((finding, index) => ({ ...finding, pointer: pointers[index] ?? null }));
}

/** Bytes that are copied one by one sooner than by a call. */
const FEW = 64;

function maskRanges(body: Uint8Array, { edges, kinds }: Ranges): Uint8Array {
  let length = body.length;
  for (let index = 0; index < kinds.length; index++)
    length += maskAt(kinds, index).length - ((edges[2 * index + 1] as number) - (edges[2 * index] as number));
  const result = new Uint8Array(length);
  let [from, to] = [0, 0];
  const copy = (bytes: Uint8Array, begin: number, end: number): void => {
    if (end - begin > FEW) result.set(bytes.subarray(begin, end), to);
    else for (let at = begin; at < end; at++) result[to + at - begin] = bytes[at] as number;
    to += end - begin;
  };
  for (let index = 0; index < kinds.length; index++) {
    copy(body, from, edges[2 * index] as number);
    const mask = maskAt(kinds, index);
    copy(mask, 0, mask.length);
    from = edges[2 * index + 1] as number;
  }
  copy(body, from, body.length);
  return result;
}

function maskAt(kinds: Uint8Array, index: number): Uint8Array {
  return MASKS[kinds[index] as number] as Uint8Array;
}

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
