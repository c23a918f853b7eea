import { createHash, createHmac } from 'node:crypto';
import type { Confidence, Kind } from '../verify/rule.ts';

/** A secret that was found. Nothing in it lets the value be read back (relay-36). */
export interface Finding {
  readonly rule: string;
  readonly kind: Kind;
  readonly confidence: Confidence;
  /** Where in a JSON body: RFC 6901 pointer; null in any other text. */
  readonly pointer: string | null;
  /** Offsets in what was scanned: bytes of a body, UTF-16 units of a text or of a stream's channel. */
  readonly start: number;
  readonly end: number;
  /** Bytes of the decoded value. */
  readonly length: number;
  /** HMAC-SHA-256 of the decoded value under the scanner's key, hexadecimal: equal secrets have equal values. */
  readonly digest: string;
  /** Number of findings of its rule that this one represents, itself included: above 1 only in a body with very many. */
  readonly occurrences: number;
}

/** The replacement of a secret (relay-36). */
export function maskOf(kind: Kind): string {
  return `[secret:${kind}]`;
}

export function digestOf(key: Uint8Array, value: Uint8Array): string {
  return createHmac('sha256', key).update(value).digest('hex');
}

/** The form in which a policy's `allow` list names a value: its SHA-256, hexadecimal. */
export function allowanceOf(value: Uint8Array): string {
  return createHash('sha256').update(value).digest('hex');
}
