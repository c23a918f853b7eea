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

/** Names of the two families in a `usage` object (decisions §8). */
const INPUT = ['prompt_tokens', 'input_tokens'];
const OUTPUT = ['completion_tokens', 'output_tokens'];

/** Anthropic's `input_tokens` are those beside its cache; `prompt_tokens`, and OpenAI's own, hold what was cached too. */
const BESIDE = ['cache_creation_input_tokens', 'cache_read_input_tokens'];

/** Names of Ollama and of llama.cpp, which stand in the answer itself. */
const OWN_INPUT = ['prompt_eval_count', 'tokens_evaluated'];
const OWN_OUTPUT = ['eval_count', 'tokens_predicted'];

export const OWN_NAMES: readonly string[] = [...OWN_INPUT, ...OWN_OUTPUT];

/** Reads the counts of an answer wherever it tells them. What is told last holds; what it leaves out stays. */
export class UsageReading {
  readonly #told = new Map<string, number>();

  get reported(): ReportedCounts {
    const beside = BESIDE.reduce((sum, name) => sum + (this.#told.get(name) ?? 0), 0);
    const input = this.#first(INPUT);
    const cached = input === null || this.#told.has('prompt_tokens') ? 0 : beside;
    return {
      input: input === null ? this.#first(OWN_INPUT) : input + cached,
      output: this.#first(OUTPUT) ?? this.#first(OWN_OUTPUT),
    };
  }

  /** @param usage a `usage` object. */
  read(usage: unknown): void {
    this.#take(usage, [...INPUT, ...BESIDE, ...OUTPUT]);
  }

  /** @param answer an answer, or an event of it, that may tell its counts itself. */
  readOwn(answer: unknown): void {
    this.#take(answer, OWN_NAMES);
  }

  #take(holder: unknown, names: readonly string[]): void {
    if (typeof holder !== 'object' || holder === null) return;
    const fields = holder as Readonly<Record<string, unknown>>;
    for (const name of names) {
      const value = fields[name];
      if (isCount(value)) this.#told.set(name, value);
    }
  }

  #first(names: readonly string[]): number | null {
    for (const name of names) {
      const told = this.#told.get(name);
      if (told !== undefined) return told;
    }
    return null;
  }
}

/** What is written: a provider that names one of the two counts leaves the other at none. */
export function wholeCounts({ input, output }: ReportedCounts): Counts | null {
  return input === null && output === null ? null : { input: input ?? 0, output: output ?? 0 };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
