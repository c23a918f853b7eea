import { refusal } from '@gateway/contract';
import { findRepeatedMember } from '@gateway/json';
import { createScanner, type Scanner } from '@gateway/secrets';
import type { ZodType } from 'zod';
import { faulty, refusalResponse, refuseRequest, within } from './answers.ts';
import { fieldsOf } from './fields.ts';

/** The largest body this console reads: a policy of some thousand rules fits well. */
const MOST_BYTES = 1_048_576;

/** How long a body may take to come: less than the whole request may, so that nobody is notified of the database for it. */
const BODY_MILLISECONDS = 20_000;
const TOO_SLOW = new Error('the body did not arrive completely in time');

/** Reads at most `MOST_BYTES` of a body; undefined when there is more. */
async function readText(request: Request): Promise<string | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** No body of ours nests deeper than a handful; what walks a value by recursion must not run out of stack. */
const MOST_LEVELS = 64;

function isNestedDeeper(value: unknown, levels: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= levels; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads a JSON object with any members.
 * @returns the object, or the refusal
 */
export async function readJsonObject(
  request: Request,
): Promise<{ readonly value: Record<string, unknown> } | { readonly fault: 'too-slow' | 'too-large' | 'unreadable' }> {
  let text: string | undefined;
  try {
    text = await within(BODY_MILLISECONDS, readText(request), TOO_SLOW);
  } catch (error) {
    return { fault: error === TOO_SLOW ? 'too-slow' : 'unreadable' };
  }
  if (text === undefined) return { fault: 'too-large' };
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && !isNestedDeeper(value, MOST_LEVELS) && findRepeatedMember(text) === null) return { value };
  } catch {
    // Said below.
  }
  return { fault: 'unreadable' };
}

/**
 * Reads a JSON body of a known shape. A form's content types are refused (415), since a page of another site can send
 * those without asking; no body at all counts as an empty object. Secrets are no input of any route.
 * @param attempted the route looks for secrets itself, since it records attempts that it refuses, or it keeps nothing.
 */
export async function readBody<Body>(
  request: Request,
  shape: ZodType<Body>,
  { attempted = false }: { readonly attempted?: boolean } = {},
): Promise<{ readonly body: Body } | { readonly fault: Response }> {
  let text: string | undefined;
  try {
    text = await within(BODY_MILLISECONDS, readText(request), TOO_SLOW);
  } catch (error) {
    // The rest of the body may still arrive, so no other request can use this connection.
    if (error === TOO_SLOW) {
      return { fault: refusalResponse(refusal('request-too-slow', { headers: { connection: 'close' } })) };
    }
    return { fault: refuseRequest('input-unreadable') };
  }
  if (text === undefined) return { fault: refuseRequest('input-too-large', { bytes: String(MOST_BYTES) }) };
  if (text !== '' && !/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
    return { fault: refuseRequest('input-media-type') };
  }
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    return { fault: refuseRequest('input-unreadable') };
  }
  if (!isObject(value) || isNestedDeeper(value, MOST_LEVELS)) return { fault: refuseRequest('input-unreadable') };
  const repeated = findRepeatedMember(text);
  if (repeated !== null) return { fault: faulty({ [repeated]: 'is given more than once' }) };
  const secrets = attempted ? {} : secretsIn(text);
  if (Object.keys(secrets).length > 0) return { fault: faulty(secrets) };
  const parsed = shape.safeParse(value);
  return parsed.success ? { body: parsed.data } : { fault: faulty(fieldsOf(parsed.error)) };
}

let scanner: Scanner | null = null;

/**
 * One sentence for each field of a body that looks like a secret, by the field's name. Input is stored, shown and exported; so
 * would be a key pasted into the wrong field (console-12).
 */
export function secretsIn(json: string): Record<string, string> {
  scanner ??= createScanner({ key: new Uint8Array(0) });
  const fields: Record<string, string> = Object.create(null);
  for (const { kind, pointer } of scanner.scanBody(Buffer.from(json), 'application/json').findings) {
    const path = (pointer ?? '').split('/').slice(1);
    const field = path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')).join('.') || 'body';
    fields[field] ??= `holds what looks like a secret (${kind}); input is stored and displayed`;
  }
  return fields;
}
