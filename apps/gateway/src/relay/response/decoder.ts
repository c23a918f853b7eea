import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

/** Chained codings beyond this are an attack, not a provider. */
const MOST_CODINGS = 4;

/** Maximum bytes of a decoded answer. Memory stays bounded below it too, because the caller's pace limits the decoder. */
const MOST_DECODED = 4 * 1024 ** 3;

export interface DecoderEvents {
  /** @returns false where the decoder must wait until it is resumed. */
  data(chunk: Buffer): boolean;
  end(): void;
  error(error: Error): void;
  /** The decoder takes more again. */
  drained(): void;
}

/** Undoes the codings of an answer whose `content-encoding` is removed (relay-17). */
export interface Decoder {
  /** @returns false where it accepts no more until `drained`. */
  write(chunk: Buffer): boolean;
  end(): void;
  resume(): void;
  destroy(): void;
}

/** @returns null where a coding is unknown or there are too many. */
export function createDecoder(codings: readonly string[], events: DecoderEvents): Decoder | null {
  if (codings.length > MOST_CODINGS || codings.some((coding) => !KNOWN.has(coding))) return null;
  const stages: Transform[] = [];
  let decoded = 0;
  let over = false;
  const fail = (error: Error): void => {
    if (over) return;
    over = true;
    for (const stage of stages) stage.destroy();
    events.error(error);
  };
  const end = (): void => {
    if (over) return;
    over = true;
    events.end();
  };

  /** Each stage is made at its first bytes, for `deflate` shows only there which of its two forms it is. */
  function open([coding = '', ...inner]: readonly string[], first: Buffer): Transform {
    const stage = stageOf(coding, first);
    stages.push(stage);
    stage.on('error', fail);
    stage.once('end', end); // of an inner one that was never made, too: nothing decodes to nothing
    if (inner.length === 0) deliver(stage);
    else {
      stage.once('data', (chunk: Buffer) => {
        stage.off('end', end);
        stage.pause();
        const next = open(inner, chunk);
        next.write(chunk);
        stage.pipe(next);
      });
    }
    return stage;
  }

  function deliver(last: Transform): void {
    last.on('data', (chunk: Buffer) => {
      if (over) return;
      decoded += chunk.length;
      if (decoded > MOST_DECODED) fail(new Error('the answer decodes to more than 4 GiB'));
      else if (!events.data(chunk)) last.pause();
    });
  }

  return {
    write(chunk) {
      if (over) return true;
      const stage = stages[0] ?? open(codings.toReversed(), chunk).on('drain', () => events.drained());
      return stage.write(chunk);
    },
    end() {
      const [stage] = stages;
      if (stage === undefined) end();
      else stage.end();
    },
    resume() {
      stages.at(-1)?.resume();
    },
    destroy() {
      over = true;
      for (const stage of stages) stage.destroy();
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
