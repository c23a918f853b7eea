import { asSentence } from '../process/pluralize.ts';

const CHANGES_A_FILE = new Set(['Write', 'Edit', 'MultiEdit']);

/** What an approval that is remembered approves, in words: other contents of the same file too, for a tool that changes one. */
export function describeScope(tool: string): string {
  return CHANGES_A_FILE.has(tool) ? `any ${tool} to this file` : 'this exact call';
}

/** The rules of each offer that covers more than the call itself. */
export function widerOffers({
  tool,
  target,
  offers = [],
}: {
  readonly tool: string;
  readonly target: { readonly value: string };
  readonly offers?: readonly (readonly string[])[];
}): readonly (readonly string[])[] {
  const exact = `${tool}(${target.value})`;
  return offers.filter((rules) => rules.length > 1 || rules[0] !== exact);
}

/** The result of a call that was denied, for the model. */
export function deniedResult(reason: string): string {
  return `Denied: ${asSentence(reason)} The call was not run. Do not try to get around this; go on without it or say what you need.`;
}

/** Why a call was denied, without the words for the model. */
export function whyDenied(result: string): string {
  return result.replace(/^Denied: /, '').replace(/ The call was not run\.[\s\S]*$/, '');
}
