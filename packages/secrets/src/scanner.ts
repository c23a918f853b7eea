import { allowanceOf, digestOf, type Finding, maskOf } from './finding.ts';
import { pointersOf } from './json/pointer.ts';
import { positionsInBody } from './json/position.ts';
import type { Responses } from './response.ts';
import type { RuleCard } from './rules/rule.ts';
import { WELL_KNOWN } from './rules/well-known.ts';
import { type BodyScan, readBody } from './scan/body.ts';
import { type Catalogue, compileCatalogue } from './scan/catalogue.ts';
import type { Match } from './scan/engine.ts';
import { type Channel, createChannel } from './stream/channel.ts';
import type { Encoding } from './stream/reader.ts';

export interface ScannerOptions {
  /** Look for generated values under telling names too (policy `secrets.entropy`). Default true. */
  readonly entropy?: boolean;
  /** SHA-256 digests, hexadecimal, of values that are no secrets here (policy `secrets.allow`). */
  readonly allow?: readonly string[];
  /** Key of the digests in findings. */
  readonly key: Uint8Array;
}

/** What a body holds. */
export interface BodyReport {
  readonly findings: readonly Finding[];
  /** The body with every finding replaced by its mask and all other bytes as they were. */
  readonly mask: () => Uint8Array;
}

export interface Scanner {
  readonly rules: readonly RuleCard[];
  /** Findings of a text, with offsets in UTF-16 units. */
  scanText(text: string): readonly Finding[];
  /** Scans a body in one go. For bodies of more than 256 kB use `scanBodyInSlices`. */
  scanBody(body: Uint8Array, contentType?: string): BodyReport;
  /** Scans a body in slices of some tenths of a millisecond, and awaits `pause` between them. */
  scanBodyInSlices(body: Uint8Array, contentType: string | undefined, pause: () => Promise<void>): Promise<BodyReport>;
  /**
   * A scanner of one text that arrives in pieces, for instance one choice of a streamed answer. With `latin1`, every
   * character of it stands for a byte.
   */
  channel(responses: Responses, pointer: string | null, encoding?: Encoding): Channel;
}

const CATALOGUES: { [entropy: string]: Catalogue } = {};

/** The rules are compiled on first use and shared by all scanners of the process. */
function catalogueFor(entropy: boolean): Catalogue {
  CATALOGUES[String(entropy)] ??= compileCatalogue(entropy);
  return CATALOGUES[String(entropy)] as Catalogue;
}

const NOTHING: readonly Finding[] = [];
const OPAQUE = /^\s*(?:image|audio|video|font)\//i;
const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\b/i;

export function createScanner(options: ScannerOptions): Scanner {
  const catalogue = catalogueFor(options.entropy ?? true);
  const allowed = new Set(options.allow?.map((digest) => digest.toLowerCase()));

  function report(body: Uint8Array, scan: BodyScan, isJson: boolean): BodyReport {
    if (scan.matches.length === 0) return { findings: NOTHING, mask: () => body };
    // The same value often stands in a body many times: it is digested once.
    const digests = new Map<string, string | null>();
    const digestAt = ({ from, to }: Match): string | null => {
      const value = scan.text.subarray(from, to);
      const name = Buffer.from(value.buffer, value.byteOffset, value.length).toString('latin1');
      const known = digests.get(name);
      if (known !== undefined) return known;
      const allowance = allowanceOf(value);
      const digest = WELL_KNOWN.has(allowance) || allowed.has(allowance) ? null : digestOf(options.key, value);
      digests.set(name, digest);
      return digest;
    };
    const kept: (Match & { readonly digest: string })[] = [];
    for (const match of scan.matches) {
      const digest = digestAt(match);
      if (digest !== null) kept.push({ ...match, digest });
    }
    const edges = kept.flatMap(({ from, to }) => [from, to]);
    const positions = scan.verbatim ? edges : positionsInBody(body, edges);
    const ranges = kept.map((match, index) => ({
      start: positions[2 * index] as number,
      end: positions[2 * index + 1] as number,
      mask: maskOf(match.rule.kind),
    }));
    const pointers = isJson ? pointersOf(body, ranges) : null;
    const findings = kept.map((match, index) => ({
      ...describe(match),
      pointer: pointers?.[index] ?? null,
      start: ranges[index]?.start ?? 0,
      end: ranges[index]?.end ?? 0,
    }));
    return { findings, mask: () => replaceRanges(body, ranges) };
  }

  return {
    rules: catalogue.rules,
    channel: (responses, pointer, encoding = 'utf8') =>
      createChannel({ catalogue, responses, key: options.key, allowed, pointer, encoding }),
    scanText(text) {
      const body = Buffer.from(text, 'utf8');
      const { findings } = report(body, runToEnd(readBody(catalogue, body, false)), false);
      return body.length === text.length ? findings : findings.map((finding) => inUnits(finding, body));
    },
    scanBody(body, contentType) {
      if (OPAQUE.test(contentType ?? '')) return { findings: NOTHING, mask: () => body };
      return report(body, runToEnd(readBody(catalogue, body, false)), isJson(body, contentType));
    },
    async scanBodyInSlices(body, contentType, pause) {
      if (OPAQUE.test(contentType ?? '')) return { findings: NOTHING, mask: () => body };
      const run = readBody(catalogue, body, true);
      for (let step = run.next(); ; step = run.next()) {
        if (step.done === true) return report(body, step.value, isJson(body, contentType));
        await pause();
      }
    },
  };
}

function runToEnd(run: Generator<undefined, BodyScan>): BodyScan {
  for (let step = run.next(); ; step = run.next()) if (step.done === true) return step.value;
}

function isJson(body: Uint8Array, contentType: string | undefined): boolean {
  return contentType === undefined ? body[0] === 0x7b || body[0] === 0x5b : JSON_TYPE.test(contentType);
}

function describe({ rule, from, to, digest }: Match & { readonly digest: string }) {
  return { rule: rule.id, kind: rule.kind, confidence: rule.confidence, length: to - from, digest };
}

function inUnits(finding: Finding, body: Buffer): Finding {
  const units = (at: number): number => body.toString('utf8', 0, at).length;
  return { ...finding, start: units(finding.start), end: units(finding.end) };
}

function replaceRanges(
  body: Uint8Array,
  ranges: readonly { readonly start: number; readonly end: number; readonly mask: string }[],
): Uint8Array {
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const range of ranges) {
    pieces.push(body.subarray(at, range.start), Buffer.from(range.mask));
    at = range.end;
  }
  pieces.push(body.subarray(at));
  return Buffer.concat(pieces);
}
