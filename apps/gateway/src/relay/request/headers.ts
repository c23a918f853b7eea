/**
 * Header rules of the relay (relay-7, relay-9, relay-17). Headers stay in the flat raw form ([name, value, name, value, …]) of
 * node:http and undici, so that spelling, order and duplicates survive.
 */

/** Fields that belong to one connection and never pass it (RFC 9110 section 7.6.1), in either direction. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
];

/** Fields the gateway itself reads or replaces on the way to the provider. */
const NEVER_UPSTREAM = ['host', 'accept-encoding', 'authorization', 'x-api-key', 'content-length', 'expect'];

const TO_PROVIDER = new Set([...HOP_BY_HOP, ...NEVER_UPSTREAM]);
const TO_CALLER = new Set([...HOP_BY_HOP, 'content-encoding']);
/** Headers by which the gateway itself speaks to callers: no provider may speak in its name (relay-23). */
const OWN = 'x-gateway-';

/** Lower-case spellings of received names; bounded, because peers choose the names. */
const SPELLINGS = new Map<string, string>();

/** `Content-Type` → `content-type`, without lower-casing the same spelling again at every call. */
export function lowerCased(name: string): string {
  const known = SPELLINGS.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (SPELLINGS.size < 2000 && name.length <= 64) SPELLINGS.set(name, lower);
  return lower;
}

/** Names listed in a Connection header: they too are of this hop alone. */
function parseConnection(connection: string): readonly string[] {
  return connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
}

/** Whether a Connection value names fields, rather than only `close` or `keep-alive`. */
function namesFields(connection: string): boolean {
  return connection !== 'keep-alive' && connection !== 'close' && connection !== 'Keep-Alive' && connection !== 'Close';
}

/** The provider's key as the header it goes in, or null where the engine requires none. */
export type ProviderKeyHeader = readonly [name: string, value: string] | null;

/**
 * Headers of the upstream request. The caller's proof is never forwarded. The header for the provider's key contains only that
 * key: the caller's header of that name is dropped.
 * @param connection the caller's Connection header, or null.
 * @param proof the caller's key or token: some clients also send it in their vendor's header.
 */
export function headersToProvider(
  raw: readonly string[],
  connection: string | null,
  key: ProviderKeyHeader,
  proof: string,
): string[] {
  const also = connection !== null && namesFields(connection) ? parseConnection(connection) : null;
  const keyName = key === null ? '' : key[0].toLowerCase();
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]!;
    const lower = lowerCased(name);
    if (TO_PROVIDER.has(lower) || lower === keyName || also?.includes(lower) === true) continue;
    const value = raw[index + 1]!;
    if (proof !== '' && value.length >= proof.length && value.includes(proof)) continue;
    kept.push(name, value);
  }
  if (key !== null) kept.push(key[0], key[1]);
  return kept;
}

/** Sets a header that a raw list already has. */
export function replaceHeader(raw: string[], name: string, value: string): void {
  const at = raw.findIndex((one, index) => index % 2 === 0 && lowerCased(one) === name);
  if (at >= 0) raw[at + 1] = value;
}

/** Headers of an answer, with the facts that the pipeline needs. */
export interface AnswerHeaders {
  /** For the caller, without content-length. */
  readonly raw: string[];
  /** As the provider wrote it, without the blanks around it. */
  readonly contentLength: string | null;
  /** Codings in the order they were applied, those of the transfer last; lower case, empty where the body is not encoded. */
  readonly codings: readonly string[];
  /** Whether the content type is `text/event-stream`. */
  readonly eventStream: boolean;
  /** Whether the provider itself controls the buffering of proxies. */
  readonly buffering: boolean;
}

/** @param raw names and values, a character a byte. */
export function headersToCaller(raw: readonly string[]): AnswerHeaders {
  const kept: string[] = [];
  let contentLength: string | null = null;
  let codings: readonly string[] = NONE;
  let transferCodings: readonly string[] = NONE;
  let eventStream = false;
  let buffering = false;
  let also: readonly string[] | null = null;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]!;
    const value = raw[index + 1]!;
    const lower = lowerCased(name);
    if (lower === 'content-length') contentLength = value.trim();
    else if (lower === 'content-encoding') codings = [...codings, ...codingsOf(value)];
    else if (lower === 'transfer-encoding' && value !== 'chunked') {
      transferCodings = [...transferCodings, ...codingsOf(value).filter((coding) => coding !== 'chunked')];
    } else if (lower === 'connection' && namesFields(value)) also = [...(also ?? NONE), ...parseConnection(value)];
    else if (!TO_CALLER.has(lower) && !lower.startsWith(OWN)) {
      if (lower === 'content-type') eventStream = isEventStream(value);
      else if (lower === 'x-accel-buffering') buffering = true;
      kept.push(name, value);
    }
  }
  if (transferCodings.length > 0) codings = [...codings, ...transferCodings];
  return { raw: also === null ? kept : without(kept, also), contentLength, codings, eventStream, buffering };
}

const NONE: readonly string[] = [];

/** Codings that a header names, in the order they were applied; lower case. */
export function codingsOf(value: string): readonly string[] {
  return parseConnection(value).filter((coding) => coding !== '' && coding !== 'identity');
}

/** Whether a content type is `text/event-stream`. */
export function isEventStream(contentType: string): boolean {
  return /^\s*text\/event-stream\s*(?:;|$)/i.test(contentType);
}

function without(raw: readonly string[], names: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (!names.includes(raw[index]!.toLowerCase())) kept.push(raw[index]!, raw[index + 1]!);
  }
  return kept;
}
