import { pipeline, type Readable, Transform } from 'node:stream';
import type { Refusal } from '@gateway/contract';
import { createTextStream, type EventStep, type Finding } from '@gateway/secrets';
import { blocked } from '../../secrets/detections.ts';
import type { Inspector } from '../../secrets/inspectors.ts';

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
  const pass = (transform: Transform, { bytes, findings, blocked: stops }: EventStep): BodyRefused | null => {
    if (findings.length > 0) found(findings);
    if (stops) return new BodyRefused(blocked('secret-detected', findings, inspector.stance));
    if (bytes.length > 0) transform.push(bytes);
    return null;
  };
  const transform: Transform = new Transform({
    transform: (chunk: Buffer, _, done) => done(pass(transform, stream.push(chunk))),
    flush: (done) => done(pass(transform, stream.end())),
  });
  // Errors of either end both; who reads the transform is told.
  pipeline(body, transform, () => {});
  return transform;
}

/** Whether what leaves may differ in length from what came. */
export function mayMask({ stance }: Inspector): boolean {
  return stance.high === 'mask' || stance.medium === 'mask';
}
