/** Tokens of one call. */
export interface Counts {
  readonly input: number;
  readonly output: number;
}

/** What a provider said so far; a field it never named is null. */
export interface ReportedCounts {
  readonly input: number | null;
  readonly output: number | null;
}

export const NOTHING_REPORTED: ReportedCounts = { input: null, output: null };

/**
 * Reads a `usage` object in either family of names: `prompt_tokens`/`completion_tokens` or `input_tokens`/`output_tokens`
 * (decisions §8). Fields it lacks are taken from what was reported before.
 */
export function readUsage(usage: unknown, before: ReportedCounts): ReportedCounts {
  if (typeof usage !== 'object' || usage === null) return before;
  const fields = usage as Readonly<Record<string, unknown>>;
  return {
    input: count(fields['prompt_tokens']) ?? count(fields['input_tokens']) ?? before.input,
    output: count(fields['completion_tokens']) ?? count(fields['output_tokens']) ?? before.output,
  };
}

/** What is written: a provider that names one of the two counts leaves the other at none. */
export function wholeCounts({ input, output }: ReportedCounts): Counts | null {
  return input === null && output === null ? null : { input: input ?? 0, output: output ?? 0 };
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
