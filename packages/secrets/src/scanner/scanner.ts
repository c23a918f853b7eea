import { type Channel, createChannel } from '../channel/channel.ts';
import type { Encoding } from '../channel/reader.ts';
import { readBody } from '../scan/body.ts';
import { type Catalogue, compileCatalogue } from '../scan/catalogue.ts';
import { type Finding, type Responses, runToEnd } from '../scan/response.ts';
import type { RuleCard } from '../verify/rule.ts';
import { type BodyReport, reportOf } from './report.ts';

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
