import { hash } from 'node:crypto';
import { WELL_KNOWN } from '../channel/reader.ts';
import { pointersOf } from '../json/pointer.ts';
import { positionsInBody } from '../json/position.ts';
import type { BodyScan } from '../scan/body.ts';
import type { Match } from '../scan/engine.ts';
import { digestOf, type Finding, maskOf } from '../scan/response.ts';
import { KINDS } from '../verify/rule.ts';

/** The findings in a body. */
export interface BodyReport {
  /** One by one, or so many of them, and of the rest one a rule that counts them. */
  readonly findings: readonly Finding[];
  /** The body with every finding replaced by its mask and all other bytes unchanged. */
  readonly mask: () => Uint8Array;
}

export interface ReportOptions {
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
