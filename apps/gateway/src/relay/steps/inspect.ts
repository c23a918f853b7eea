import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as soon } from 'node:timers/promises';
import type { Refusal } from '@gateway/contract';
import { type BodyReport, type Finding, respond } from '@gateway/secrets';
import { blocked, lineOf } from '../../secrets/detections.ts';
import type { Inspector } from '../../secrets/inspectors.ts';
import type { RequestBody } from '../body/intake.ts';

/** Bodies of more bytes are scanned in slices, between which other calls go on. */
const AT_ONCE = 256 * 1024;

/** A body that may leave, and what the record has to say of it. */
export interface Inspected {
  readonly body: RequestBody;
  readonly detail: string | null;
}

/**
 * Looks for secrets in a request's body and does what the policy says (specification, function 8; decisions §10 and §17).
 * @param found told of everything found.
 */
export function inspect(
  body: RequestBody,
  headers: IncomingHttpHeaders,
  inspector: Inspector,
  found: (findings: readonly Finding[]) => void,
): Inspected | Refusal | Promise<Inspected | Refusal> {
  if (body.kind === 'flowing')
    return { body, detail: 'secrets: not looked for in a large body that is no JSON object' };
  if (body.bytes.length === 0) return { body, detail: null };
  if (headers['content-encoding'] !== undefined) {
    return { body, detail: 'secrets: not looked for in a compressed body' };
  }
  const type = headers['content-type'];
  if (body.bytes.length <= AT_ONCE)
    return answered(body, inspector, inspector.scanner.scanBody(body.bytes, type), found);
  const scanning = inspector.scanner.scanBodyInSlices(body.bytes, type, () => soon());
  return scanning.then((report) => answered(body, inspector, report, found));
}

function answered(
  body: RequestBody,
  { stance }: Inspector,
  { findings, mask }: BodyReport,
  found: (findings: readonly Finding[]) => void,
): Inspected | Refusal {
  if (findings.length > 0) found(findings);
  const response = respond(stance, findings);
  if (response === 'pass') return { body, detail: null };
  if (response === 'block') return blocked('secret-detected', findings, stance);
  const detail = lineOf(findings, stance);
  return response === 'alert' ? { body, detail } : { body: { kind: 'whole', bytes: Buffer.from(mask()) }, detail };
}
