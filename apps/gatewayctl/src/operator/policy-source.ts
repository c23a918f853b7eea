import { type CompiledPolicySet, compilePolicySet, PolicySetUnusable } from '@gateway/access';
import { CommandFailed } from '../context/fault.ts';

/** A compiled policy set; null if the text is empty. */
export function compilePolicy(cedar: string): CompiledPolicySet | null {
  if (cedar.trim() === '') return null;
  try {
    return compilePolicySet(cedar);
  } catch (error) {
    if (!(error instanceof PolicySetUnusable)) throw error;
    throw new CommandFailed(`The policy cannot be evaluated: ${error.message}.`);
  }
}
