import { envelopeOf, type Refusal, type RefusalCode, refusal, statusOf } from '@gateway/contract';
import { DatabaseUnavailable } from '@gateway/database';
import { maskText } from '@gateway/secrets';

/** No cache may store an answer of the console: it shows keys once, and current rights. */
const HEADERS = { 'cache-control': 'no-store' };

function json(status: number, value: unknown): Response {
  return Response.json(value, { status, headers: HEADERS });
}

/** 200 with the object, as read or as changed (console-9). */
export function okResponse(value: unknown): Response {
  return json(200, value);
}

/** 201 with the object (console-9). */
export function createdResponse(value: unknown): Response {
  return json(201, value);
}

/** 204 without a body (console-9). */
export function emptyResponse(): Response {
  return new Response(null, { status: 204, headers: HEADERS });
}

/** A refusal as the envelope `{error, …}` with its status and headers. */
export function refusalResponse(refused: Refusal): Response {
  return Response.json(envelopeOf(refused), { status: statusOf(refused), headers: { ...HEADERS, ...refused.headers } });
}

export function refuseRequest(code: RefusalCode, details: Readonly<Record<string, string>> = {}): Response {
  return refusalResponse(refusal(code, { details }));
}

/** 404: no such thing, whether its id is unknown or is no id at all. */
export function unknown(kind: string): Response {
  return refuseRequest('thing-unknown', { kind });
}

/** 409: the field's value belongs to another thing of the same kind. `says` follows the field's name. */
export function refuseTaken(kind: string, field: string, says = 'is taken already'): Response {
  return refusalResponse(refusal('thing-taken', { details: { kind, field }, members: { fields: { [field]: says } } }));
}

/** 409: something else still refers to it: the names of the first are `referredToBy`. */
export function refuseReferenced(kind: string, by: string, names: readonly string[] = []): Response {
  return refusalResponse(
    refusal('thing-referred-to', {
      details: { kind, by },
      members: names.length === 0 ? {} : { referredToBy: names.map(maskText) },
    }),
  );
}

/** 400 with one sentence a field: `{error, fields}` (console-9). A field's name may be anything, a secret too. */
export function faulty(given: Readonly<Record<string, string>>): Response {
  const fields: Record<string, string> = Object.create(null);
  for (const [field, sentence] of Object.entries(given)) fields[maskText(field)] = sentence;
  const faults = Object.entries(fields)
    .map(([field, sentence]) => `${field} ${sentence}`)
    .join('; ');
  return refusalResponse(refusal('input-faulty', { details: { faults }, members: { fields } }));
}

/**
 * The value of a promise, or a fault after the time limit: DatabaseUnavailable by default, since a frozen database never
 * answers. The work itself may still complete there.
 */
export async function within<Value>(
  milliseconds: number,
  work: Promise<Value>,
  fault: Error = new DatabaseUnavailable(`no answer within ${milliseconds} ms`),
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(fault), milliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
