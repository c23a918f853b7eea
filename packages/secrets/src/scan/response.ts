import type { Kind } from '../verify/rule.ts';
import type { Finding } from './finding.ts';

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
