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
