import { type Fields, isFields } from './api.ts';

/** How the names or values end that show an error in an answer: few bytes to look for. */
export const FAILURE_MARKS: readonly Buffer[] = ['error"', 'failed"', 'ERROR"', 'base_resp"'].map((mark) =>
  Buffer.from(mark),
);

const HOLDERS = ['response', 'interaction', 'delta'] as const;
const OWN = ['error', 'status', 'finish_reason'] as const;
/** Paths of the members that `failureOf` reads, for an answer too long to buffer. */
export const FAILURE_MEMBERS: readonly string[] = [
  ...OWN,
  ...HOLDERS.flatMap((holder) => OWN.map((name) => `${holder}.${name}`)),
  'type',
  'object',
  'event_type',
  'base_resp',
];

const FAILED_TYPES = new Set<unknown>(['error', 'response.failed', 'interaction.failed']);
/** What may be repeated of an error: names of errors and numbers, never sentences, which may quote a prompt or a key. */
const CODE = /^[\w.-]{1,64}$/;

/**
 * The error that a payload contains instead of an answer, or after a part of one, although the status was one of success (relay-39).
 * @returns its type and code, empty where it names neither; null where the payload shows no error
 */
export function failureOf(payload: Fields): string | null {
  let failure = errorOf(payload, payload);
  for (const name of HOLDERS) failure ??= errorOf(payload[name], payload);
  if (failure !== null) return failure;
  const { type, object, event_type: event, base_resp: base, choices } = payload;
  if (FAILED_TYPES.has(type) || FAILED_TYPES.has(object) || FAILED_TYPES.has(event)) return codesOf(payload);
  if (isFields(base) && typeof base['status_code'] === 'number' && base['status_code'] !== 0)
    return codesOf({ code: base['status_code'] });
  const isCut = Array.isArray(choices) && choices.some((one) => isFields(one) && one['finish_reason'] === 'error');
  return isCut ? '' : null;
}

function errorOf(holder: unknown, payload: Fields): string | null {
  if (!isFields(holder)) return null;
  if (isError(holder['error'])) return codesOf(holder['error'], payload['error_type']);
  return holder['status'] === 'failed' || holder['finish_reason'] === 'ERROR' ? '' : null;
}

function isError(error: unknown): boolean {
  if (isFields(error)) return Object.values(error).some((value) => value !== null && value !== '');
  return Array.isArray(error) ? error.length > 0 : Boolean(error);
}

function codesOf(error: unknown, ...more: readonly unknown[]): string {
  const named = isFields(error) ? [error['type'], error['status'], error['code']] : [];
  const codes = [...named, ...more].filter((one) => typeof one === 'string' || typeof one === 'number').map(String);
  return [...new Set(codes.filter((code) => code !== 'error' && CODE.test(code)))].join(', ');
}

/** A quote, and what stands before the last word of a name or value. */
const BEFORE = new Set([0x22, 0x5f, 0x2e]);
const COLON = 0x3a;
const BLANK = 0x20;
/** With which `null` and `false` begin. */
const NOTHING = new Set([0x6e, 0x66]);
const EVENT_LINES = ['event: error', 'event:error'].map((line) => Buffer.from(line));
/**
 * A part of each mark and line. Looking for them in 13 kB of events takes 3 µs, for the whole ones 21: the first letter is looked
 * for first, and `e` and `b` are frequent.
 */
const SIGNS = ['rror', 'failed"', 'ERROR"', '_resp"'].map((sign) => Buffer.from(sign));

/** Whether bytes may contain a mark of a failure or the line of an error event: else neither has to be looked for. */
export function mayShowFailure(bytes: Buffer): boolean {
  return SIGNS.some((sign) => bytes.indexOf(sign) >= 0);
}

/**
 * Offset of the next mark in a name or value where no `null` or `false` follows: many services send `"error":null` with every
 * answer. -1 for none.
 */
export function nextMark(bytes: Buffer, mark: Buffer, from = 0): number {
  for (let at = bytes.indexOf(mark, from); at >= 0; at = bytes.indexOf(mark, at + mark.length)) {
    if (BEFORE.has(bytes[at - 1] ?? 0) && !isNothing(bytes, at + mark.length)) return at;
  }
  return -1;
}

/** Whether `: null` or `: false` follows. */
export function isNothing(bytes: Buffer, from: number): boolean {
  let at = from;
  while (bytes[at] === BLANK || bytes[at] === COLON) at += 1;
  return at > from && NOTHING.has(bytes[at] ?? 0);
}

const isBreak = (byte: number | undefined): boolean => byte === undefined || byte === 0x0a || byte === 0x0d;

/** Whether lines of a stream begin an event of the type `error`. */
export function hasErrorEvent(lines: Buffer): boolean {
  return EVENT_LINES.some((line) => {
    for (let at = lines.indexOf(line); at >= 0; at = lines.indexOf(line, at + line.length)) {
      if (isBreak(lines[at - 1]) && isBreak(lines[at + line.length])) return true;
    }
    return false;
  });
}
