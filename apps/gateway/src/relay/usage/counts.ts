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

/** Where a count may stand; of several names that are told together the first holds. */
interface Names {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

/** The two families of names in a `usage` object (decisions §8). */
const USAGE: Names = { input: ['prompt_tokens', 'input_tokens'], output: ['completion_tokens', 'output_tokens'] };
/** Names of Ollama and of llama.cpp, which stand in the answer itself. */
const OWN: Names = { input: ['prompt_eval_count', 'tokens_evaluated'], output: ['eval_count', 'tokens_predicted'] };

export const OWN_NAMES: readonly string[] = [...OWN.input, ...OWN.output];

/** Reads the counts of an answer wherever it tells them. What is told last holds; what it leaves out stays. */
export class UsageReading {
  #usage = NOTHING_REPORTED;
  #own = NOTHING_REPORTED;

  /** What stands in a `usage` goes before an engine's own names. */
  get reported(): ReportedCounts {
    return { input: this.#usage.input ?? this.#own.input, output: this.#usage.output ?? this.#own.output };
  }

  /** @param usage a `usage` object. */
  read(usage: unknown): void {
    this.#usage = countsIn(usage, USAGE, this.#usage);
  }

  /** @param answer an answer, or an event of it, that may tell its counts itself. */
  readOwn(answer: unknown): void {
    this.#own = countsIn(answer, OWN, this.#own);
  }
}

function countsIn(holder: unknown, names: Names, before: ReportedCounts): ReportedCounts {
  if (typeof holder !== 'object' || holder === null) return before;
  const fields = holder as Readonly<Record<string, unknown>>;
  const first = (of: readonly string[]): number | undefined => of.map((name) => fields[name]).find(isCount);
  return { input: first(names.input) ?? before.input, output: first(names.output) ?? before.output };
}

/** What is written: a provider that names one of the two counts leaves the other at none. */
export function wholeCounts({ input, output }: ReportedCounts): Counts | null {
  return input === null && output === null ? null : { input: input ?? 0, output: output ?? 0 };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
