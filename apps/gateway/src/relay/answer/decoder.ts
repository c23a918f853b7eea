import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** Chained codings beyond this are an attack, not a provider. */
const MOST_CODINGS = 4;

/** Bytes an answer may decode to. Memory stays flat below it too, for the caller's pace holds the decoder back. */
const MOST_DECODED = 4 * 1024 ** 3;

export interface DecoderEvents {
  /** @returns false where the decoder must wait until it is resumed. */
  data(chunk: Buffer): boolean;
  end(): void;
  error(error: Error): void;
  /** The decoder takes more again. */
  drained(): void;
}

/** Undoes the codings of an answer whose `content-encoding` is removed (decisions §9). */
export interface Decoder {
  /** @returns false where it takes no more until `drained`. */
  write(chunk: Buffer): boolean;
  end(): void;
  resume(): void;
  destroy(): void;
}

/** @returns null where a coding is unknown or there are too many. */
export function createDecoder(codings: readonly string[], events: DecoderEvents): Decoder | null {
  if (codings.length > MOST_CODINGS || codings.some((coding) => !KNOWN.has(coding))) return null;
  let stages: Transform[] | null = null;
  let decoded = 0;
  let over = false;
  const fail = (error: Error): void => {
    if (over) return;
    over = true;
    for (const stage of stages ?? []) stage.destroy();
    events.error(error);
  };

  /** Made at the first bytes, for `deflate` shows only there which of its two forms it is. */
  function open(first: Buffer): Transform[] {
    const made = codings.toReversed().map((coding) => stageOf(coding, first));
    for (const [index, stage] of made.entries()) {
      stage.on('error', fail);
      const next = made[index + 1];
      if (next !== undefined) stage.pipe(next);
    }
    made[0]!.on('drain', () => events.drained());
    const last = made.at(-1)!;
    last.on('data', (chunk: Buffer) => {
      if (over) return;
      decoded += chunk.length;
      if (decoded > MOST_DECODED) fail(new Error('the answer decodes to more than 4 GiB'));
      else if (!events.data(chunk)) last.pause();
    });
    last.once('end', () => {
      if (over) return;
      over = true;
      events.end();
    });
    return made;
  }

  return {
    write(chunk) {
      if (over) return true;
      stages ??= open(chunk);
      return stages[0]!.write(chunk);
    },
    end() {
      if (stages === null) {
        over = true;
        events.end(); // an empty body decodes to an empty body
      } else stages[0]!.end();
    },
    resume() {
      stages?.at(-1)?.resume();
    },
    destroy() {
      over = true;
      for (const stage of stages ?? []) stage.destroy();
    },
  };
}

const KNOWN = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd']);

function stageOf(coding: string, first: Buffer): Transform {
  switch (coding) {
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    case 'deflate':
      // RFC 9110 means the zlib form; some servers send the bare one, whose first byte has another low half.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      return createGunzip();
  }
}
