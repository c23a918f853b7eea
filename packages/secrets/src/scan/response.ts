import { createHash, createHmac } from 'node:crypto';
import type { Confidence, Kind } from '../verify/rule.ts';

/** The part of an organization's policy that speaks of secrets (relay-33); absent members take the defaults. */
export interface SecretsPolicy {
  readonly response?: Response | undefined;
  readonly entropy?: boolean | undefined;
  readonly allow?: readonly string[] | undefined;
}

export type Response = 'block' | 'mask' | 'alert';

/** What is done about findings of each confidence. */
export interface Responses {
  readonly high: Response;
  readonly medium: Response;
}

/** A policy with its defaults filled in. */
export interface ResponsePolicy extends Responses {
  readonly entropy: boolean;
  readonly allow: readonly string[];
}

/**
 * The responsePolicy of a policy. Without one: block, including generated values with indicative names (relay-33). With one, its
 * response applies to findings proven by a form; findings by name are blocked only where the policy requires it (`entropy:
 * true`), and masked by default.
 */
export function responsePolicyOf(policy: SecretsPolicy | null | undefined): ResponsePolicy {
  const high = policy?.response ?? 'block';
  const asked = policy === null || policy === undefined || policy.entropy === true;
  return {
    high,
    medium: high === 'block' && !asked ? 'mask' : high,
    entropy: policy?.entropy ?? true,
    allow: policy?.allow ?? [],
  };
}

/** What happens to what was scanned: the strictest response that one of its findings calls for. */
export function respond(responses: Responses, findings: readonly Finding[]): Response | 'pass' {
  if (findings.length === 0) return 'pass';
  const called = new Set(findings.map(({ confidence }) => responses[confidence]));
  return called.has('block') ? 'block' : called.has('mask') ? 'mask' : called.has('alert') ? 'alert' : 'pass';
}

/** Findings that made the response `block`, and of which kinds they are, each once, in order. */
export function blockingKinds(responses: Responses, findings: readonly Finding[]): Kind[] {
  return [...new Set(findings.filter(({ confidence }) => responses[confidence] === 'block').map(({ kind }) => kind))];
}

/** The result of pausing work, without its pauses. */
export function runToEnd<Result>(run: Generator<undefined, Result>): Result {
  for (let step = run.next(); ; step = run.next()) if (step.done === true) return step.value;
}

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
