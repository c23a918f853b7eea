import { Readable } from 'node:stream';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import type { Refusal } from '@gateway/contract';
import { type Finding, maskOf, respond } from '@gateway/secrets';
import { block, type Inspector } from '../../inspection/inspectors.ts';
import { asUtf8, inSlices, wideReadingsOf } from './wide-text.ts';

/** Bytes looked into together. */
const WINDOW = 1024 * 1024;
/** Bytes on each side of a window border that both windows contain. A secret is not longer. */
const OVERLAP = 64 * 1024;

/** The next bytes of a body, and what was found in them. */
export interface ScannedWindow {
  /** Offsets count from the first byte of the body, or of its text where it is in UTF-16 or UTF-32. */
  readonly findings: readonly Finding[];
  readonly bytes: Buffer;
  /** The bytes with everything found in them masked; null where not all of it can be. */
  readonly mask: () => Buffer | null;
}

/**
 * Scans a body of any length, one window at a time, so that it is neither copied whole nor delays other calls. Every byte is
 * yielded once, in order.
 */
export async function* scanWindows(
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  charset: string | null,
  { scanner }: Inspector,
): AsyncGenerator<ScannedWindow, void> {
  /** Offset of the window's first byte, and of the first one that was not yielded. */
  let base = 0;
  let next = 0;

  async function look(window: Buffer, isLast: boolean): Promise<ScannedWindow> {
    const to = isLast ? base + window.length : base + window.length - OVERLAP;
    const own = await inSlices(scanner.scanBodyInSteps(window, 'text/plain'));
    const found = own.findings.map((finding) => ({ ...finding, start: finding.start + base, end: finding.end + base }));
    const inside = found.filter(({ start }) => start >= next && start < to);
    const from = next;
    // A secret that begins before the border is yielded whole.
    const end = Math.max(to, ...inside.map((finding) => finding.end));
    const bytes = window.subarray(from - base, end - base);
    const wide: Finding[] = [];
    for (const { encoding } of wideReadingsOf(window, base === 0 ? charset : null)) {
      const text = await inSlices(asUtf8(window, encoding));
      wide.push(...(await inSlices(scanner.scanBodyInSteps(text, 'text/plain'))).findings);
    }
    const isMaskable = wide.length === 0 && inside.every(({ occurrences }) => occurrences === 1);
    next = end;
    return {
      findings: [...inside, ...wide],
      bytes,
      mask: () => (isMaskable ? maskFindings(bytes, from, inside) : null),
    };
  }

  let waiting: Buffer[] = [];
  let length = 0;
  for await (const part of parts) {
    for (let at = 0; at < part.length; at += WINDOW) {
      const piece = part.subarray(at, at + WINDOW);
      waiting.push(piece);
      length += piece.length;
      if (length < WINDOW) continue;
      const window = Buffer.concat(waiting, length);
      yield await look(window, false);
      // After the yielded bytes; the overlap before them gives the next window a value's context.
      const kept = window.subarray(Math.max(0, window.length - 2 * OVERLAP));
      base += window.length - kept.length;
      [waiting, length] = [[kept], kept.length];
    }
  }
  if (base + length > next) yield await look(Buffer.concat(waiting, length), true);
}

function maskFindings(bytes: Buffer, base: number, findings: readonly Finding[]): Buffer {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { start, end, kind } of findings) {
    if (start - base < at) continue;
    pieces.push(bytes.subarray(at, start - base), Buffer.from(maskOf(kind)));
    at = end - base;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}

/** Why a body that was already leaving had to end. */
export class BodyRefused extends Error {
  readonly refused: Refusal;
  constructor(refused: Refusal) {
    super('the body carries a secret');
    this.refused = refused;
  }
}

/**
 * A body too long to buffer, scanned during sending: secrets are masked, or it ends before a secret with `BodyRefused`, which
 * aborts the call to the provider (relay-34).
 * @param charset from its content type.
 * @param found receives all findings.
 */
export function scan(
  body: Readable,
  charset: string | null,
  inspector: Inspector,
  found: (findings: readonly Finding[]) => void,
): Readable {
  async function* leaving(): AsyncGenerator<Buffer, void> {
    for await (const { findings, bytes, mask } of scanWindows(body, charset, inspector)) {
      if (findings.length > 0) found(findings);
      const response = respond(inspector.responsePolicy, findings);
      const leaves = response === 'mask' ? mask() : bytes;
      if (response === 'block' || leaves === null)
        throw new BodyRefused(block('secret-detected', findings, inspector.responsePolicy));
      if (leaves.length > 0) yield leaves;
    }
  }
  return Readable.from(leaving(), { objectMode: false });
}

/** Chained codings beyond this are an attack, not a client. */
const MOST_CODINGS = 4;
/** Ways to read one body that are followed: `deflate` has two, and codings can be chained. */
const MOST_FORMS = 4;
const CHUNK_BYTES = 64 * 1024;

/** The result of a function of `node:zlib` with the option `info`. */
interface Decoded {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

type Decode = (
  bytes: Buffer,
  options: { maxOutputLength: number; info: true; chunkSize: number },
  done: (error: Error | null, decoded: unknown) => void,
) => void;

const asDecode = (decode: unknown): Decode => decode as Decode;
const GUNZIP = asDecode(gunzip);
const GZIP = [GUNZIP];
const DECODES: ReadonlyMap<string, readonly Decode[]> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  // RFC 9110 means the zlib form; some clients send the bare one, and what reads as both is read as both.
  ['deflate', [asDecode(inflate), asDecode(inflateRaw)]],
  ['br', [asDecode(brotliDecompress)]],
  ['zstd', [asDecode(zstdDecompress)]],
]);

/**
 * The decoded forms of an encoded body. None where a coding is unknown, the bytes are invalid, data follows the compressed
 * stream, or the output exceeds `most` bytes. Zeros after gzip are padding.
 * @param codings in the order in which they were applied.
 */
export async function decodeForms(bytes: Buffer, codings: readonly string[], most: number): Promise<readonly Buffer[]> {
  if (codings.length > MOST_CODINGS) return [];
  let forms: readonly Buffer[] = [bytes];
  for (const coding of codings.toReversed()) {
    const decodes = DECODES.get(coding) ?? [];
    const decoded = await Promise.all(
      forms.flatMap((form) => decodes.map((decode) => decodeWhole(form, decode, most))),
    );
    forms = decoded.filter((form) => form !== null).slice(0, MOST_FORMS);
  }
  return forms;
}

function decodeWhole(bytes: Buffer, decode: Decode, most: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    decode(bytes, { maxOutputLength: most, info: true, chunkSize: CHUNK_BYTES }, (error, decoded) => {
      if (error !== null) return resolve(null);
      const { buffer, engine } = decoded as Decoded;
      const rest = bytes.subarray(engine.bytesWritten);
      const isWhole = rest.length === 0 || (decode === GUNZIP && rest.equals(Buffer.alloc(rest.length)));
      resolve(isWhole ? buffer : null);
    });
  });
}
