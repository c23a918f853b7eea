import { Readable } from 'node:stream';
import { setImmediate as soon } from 'node:timers/promises';
import type { Refusal } from '@gateway/contract';
import { createTextStream, type EventStep, type Finding } from '@gateway/secrets';
import { blocked } from '../../secrets/detections.ts';
import type { Inspector } from '../../secrets/inspectors.ts';

/** Bytes looked into at once, so that a text which takes long to read (one trigger after the other) holds up its own call alone. */
const SLICE = 4096;

/** Why a body that was already leaving had to end. */
export class BodyRefused extends Error {
  readonly refused: Refusal;
  constructor(refused: Refusal) {
    super('the body carries a secret');
    this.refused = refused;
  }
}

/**
 * A body too long to be held, looked into while it leaves: what leaves is masked, or ends before a secret with
 * `BodyRefused`, which breaks the call to the provider off (decisions §10).
 * @param found is told of everything found.
 */
export function scanned(body: Readable, inspector: Inspector, found: (findings: readonly Finding[]) => void): Readable {
  const stream = createTextStream(inspector.scanner, inspector.stance);

  function leaving({ bytes, findings, blocked: stops }: EventStep): readonly Uint8Array[] {
    if (findings.length > 0) found(findings);
    if (stops) throw new BodyRefused(blocked('secret-detected', findings, inspector.stance));
    return bytes.length > 0 ? [bytes] : [];
  }

  async function* looked(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      for (let from = 0; from < chunk.length; from += SLICE) {
        if (from > 0) await soon();
        yield* leaving(stream.push(chunk.subarray(from, from + SLICE)));
      }
    }
    yield* leaving(stream.end());
  }

  return Readable.from(looked(), { objectMode: false });
}
