import { envelopeOf, type Refusal, statusOf } from '@gateway/contract';

/** A part of a file on the disk, sent only while the file still has the mark it had when the archive was read. */
export interface FilePart {
  readonly path: string;
  readonly mark: string;
  /** First and last byte, both included. */
  readonly start: number;
  readonly end: number;
}

/** What the documentation answers to one request, before it becomes bytes on a socket. */
export interface PageAnswer {
  readonly status: number;
  /** Lower-case names. `content-length` is always there when `body` is not null. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body is allowed. For HEAD the sender omits the body and keeps the headers. */
  readonly body: Buffer | FilePart | null;
}

/** Sent with every answer: no type sniffing, no framing, no referrer. */
const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export function answer(status: number, headers: Record<string, string>, body: Buffer | FilePart | null): PageAnswer {
  const length = body === null ? null : 'path' in body ? body.end - body.start + 1 : body.length;
  return {
    status,
    headers: { ...COMMON, ...headers, ...(length === null ? {} : { 'content-length': String(length) }) },
    body,
  };
}

export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): PageAnswer {
  const body = Buffer.from(JSON.stringify(value), 'utf8');
  return answer(status, { 'content-type': 'application/json', 'cache-control': 'no-cache', ...headers }, body);
}

/** A refusal in the service's envelope (refusals-1). */
export function refuse(refusal: Refusal): PageAnswer {
  return jsonAnswer(statusOf(refusal), envelopeOf(refusal), refusal.headers);
}
