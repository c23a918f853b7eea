import { checkPolicySet, describeFault } from './check.ts';
import type { Cedar } from './engine.ts';
import { needsOf, type PolicyNeeds } from './needs.ts';
import type { Position } from './position.ts';

/** One policy, ready for evaluation. */
export interface CompiledPolicy {
  readonly name: string;
  readonly position: Position;
  readonly text: string;
  readonly tree: Cedar.PolicyJson;
  readonly needs: PolicyNeeds;
  /** All paths that it names are in lower case: they mean the same in capitals. */
  readonly ignoresCase: boolean;
}

/** A policy set ready for requests: the compiled form of one revision, the only part of it that may be cached (roles-18). */
export type CompiledPolicySet = readonly CompiledPolicy[];

/** A text that is in force but may not be: it was written into the database without a check, or for another version. */
export class PolicySetUnusable extends Error {
  override readonly name = 'PolicySetUnusable';
}

/** @throws {PolicySetUnusable} with the first fault and its position */
export function compilePolicySet(text: string): CompiledPolicySet {
  const check = checkPolicySet(text);
  if (!check.ok) {
    const [first] = check.faults;
    throw new PolicySetUnusable(first ? describeFault(first) : 'the policy set is refused');
  }
  return check.policies.map((policy) => {
    const needs = needsOf(policy.tree);
    const namesPaths = needs.context.has('path') || needs.context.has('*');
    return { ...policy, needs, ignoresCase: namesPaths && !namesCapitals(policy.text) };
  });
}

/** Texts that a policy compares a path with. */
const COMPARED = /(?:\blike|[=!]=)\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*[=!]=/g;

function namesCapitals(text: string): boolean {
  return [...text.matchAll(COMPARED)].some(([, after = '', before = '']) => /\p{Lu}/u.test(after + before));
}
