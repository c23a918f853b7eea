import { Readable } from 'node:stream';
import type { Refusal } from '@gateway/contract';
import { type Finding, respond } from '@gateway/secrets';
import { block } from '../../inspection/detections.ts';
import type { Inspector } from '../../inspection/inspectors.ts';
import { scanWindows } from './windows.ts';

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
