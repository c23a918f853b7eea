import type { IncomingHttpHeaders } from 'node:http';
import { setImmediate as soon } from 'node:timers/promises';
import type { Refusal } from '@gateway/contract';
import { type Finding, respond } from '@gateway/secrets';
import { blocked, lineOf } from '../../secrets/detections.ts';
import { AT_ONCE, isInspectable } from '../../secrets/inspectable.ts';
import type { Inspector } from '../../secrets/inspectors.ts';
import { decodeWithin } from '../body/decoded.ts';
import { mayBeObject, type RequestBody } from '../body/intake.ts';
import { codingsOf } from '../headers.ts';

/** Most bytes that a compressed body is decoded to. */
const MOST_DECODED = 16 * 1024 * 1024;

const OBJECT = 'application/json';

/** A body that may leave, and what the record has to say of it. */
export interface Inspected {
  readonly body: RequestBody;
  readonly detail: string | null;
  /** The body leaves without the coding it came in. */
  readonly decoded?: boolean;
  /** The body is too long to be held: it is looked into while it leaves. */
  readonly leaving?: boolean;
}

/**
 * Looks for secrets in a request's body and does what the policy says (specification, function 8; decisions §10 and
 * §17). A compressed body is decoded within a bound, and leaves as it came unless something in it has to be masked.
 * @param found told of everything found.
 */
export function inspect(
  body: RequestBody,
  headers: IncomingHttpHeaders,
  inspector: Inspector,
  found: (findings: readonly Finding[]) => void,
): Inspected | Refusal | Promise<Inspected | Refusal> {
  const named = headers['content-type'];
  if (body.kind === 'whole' && body.bytes.length === 0) return { body, detail: null };
  const type = isInspectable(named) ? named : OBJECT;
  if (type !== named && !isObject(body)) return { body, detail: null };
  const codings = codingsOf(headers['content-encoding'] ?? '');
  if (codings.length > 0) return compressed(body, codings, type, inspector, found);
  if (body.kind === 'whole') return whole(body.bytes, body, type, inspector, found);
  return { body, detail: 'secrets: a long body, looked into while it leaves', leaving: true };
}

/**
 * Whether the body may be a JSON object as it stands. It is read as one then, whatever its headers call it (specification, Relay
 * rule 6), by engines too.
 */
function isObject(body: RequestBody): body is RequestBody & { readonly kind: 'whole' } {
  return body.kind === 'whole' && mayBeObject(body.bytes);
}

async function compressed(
  body: RequestBody,
  codings: readonly string[],
  type: string | undefined,
  inspector: Inspector,
  found: (findings: readonly Finding[]) => void,
): Promise<Inspected | Refusal> {
  const decoded = body.kind === 'whole' ? await decodeWithin(body.bytes, codings, MOST_DECODED) : null;
  const bytes = decoded ?? (isObject(body) ? body.bytes : null);
  if (bytes === null) return { body, detail: `secrets: not looked for in a body compressed with ${told(codings)}` };
  return whole(bytes, body, type, inspector, found);
}

/** @param bytes what is looked into. @param body what leaves where nothing has to be masked. */
function whole(
  bytes: Buffer,
  body: RequestBody,
  type: string | undefined,
  { stance, scanner }: Inspector,
  found: (findings: readonly Finding[]) => void,
): Inspected | Refusal | Promise<Inspected | Refusal> {
  const answered = (findings: readonly Finding[], mask: () => Uint8Array): Inspected | Refusal => {
    if (findings.length > 0) found(findings);
    const response = respond(stance, findings);
    if (response === 'pass') return { body, detail: null };
    if (response === 'block') return blocked('secret-detected', findings, stance);
    const detail = lineOf(findings, stance);
    if (response === 'alert') return { body, detail };
    const decoded = body.kind === 'flowing' || bytes !== body.bytes;
    return { body: { kind: 'whole', bytes: Buffer.from(mask()) }, detail, decoded };
  };
  if (bytes.length <= AT_ONCE) {
    const { findings, mask } = scanner.scanBody(bytes, type);
    return answered(findings, mask);
  }
  const scanning = scanner.scanBodyInSlices(bytes, type, () => soon());
  return scanning.then(({ findings, mask }) => answered(findings, mask));
}

/** The codings as a line can hold them: their names are the caller's choice. */
function told(codings: readonly string[]): string {
  return codings
    .join(', ')
    .replaceAll(/[^\w, -]/g, '?')
    .slice(0, 60);
}
