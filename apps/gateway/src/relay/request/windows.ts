import { type Finding, maskOf } from '@gateway/secrets';
import type { Inspector } from '../../inspection/inspectors.ts';
import { inSlices } from './slices.ts';
import { asUtf8, wideReadingsOf } from './wide-text.ts';

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
