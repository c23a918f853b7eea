import { type Fields, type Reported, readCounts } from './api.ts';
import { completes, reportCounts } from './apis.ts';
import { failureOf } from './failure.ts';

/** Tokens of one call. */
export interface Counts {
  /** Everything the engine read. */
  readonly input: number;
  /** Parts of the input: read from a cache, and written to one. */
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

export const NO_TOKENS: Counts = { input: 0, cached: 0, written: 0, output: 0 };

/** What an engine reported so far; null: it never named it. The parts are never more than the input. */
export interface ReportedCounts extends Omit<Counts, 'input' | 'output'> {
  readonly input: number | null;
  readonly output: number | null;
}

/** Services allow 128. */
const MOST_CHOICES = 256;

/** Reads the counts of an answer at any position. The last report wins; counts missing from it stay. */
export class UsageReading {
  #reported: Reported = {};
  #yielding: Reported = {};
  /** Outputs of choices that a stream reports one by one. */
  readonly #choices = new Map<number, number>();
  #isWhole = false;
  #failure: string | null = null;

  /** The type and code of the error that the answer contains; null where it contains none. */
  get failure(): string | null {
    return this.#failure;
  }

  /** Whether the event that completes the answer has arrived (relay-29). */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  get reported(): ReportedCounts {
    const { input, isCacheApart, cached, written = 0, output }: Reported = { ...this.#yielding, ...this.#reported };
    const read = cached ?? 0;
    if (input === undefined) return { input: null, cached: 0, written: 0, output: output ?? null };
    const all = isCacheApart === true ? input + read + written : input;
    const most = Math.min(read, all);
    return { input: all, cached: most, written: Math.min(written, all - most), output: output ?? null };
  }

  /** @param payload an answer, or one event of it. */
  read(payload: Fields): void {
    this.count(payload);
    this.#isWhole ||= completes(payload);
  }

  /** @param payload an answer, one event of it, or some of its members. */
  count(payload: Fields): void {
    reportCounts(payload, this.#report);
    this.#failure ??= failureOf(payload);
  }

  /** The stream has an event of the type `error`, whose data need not be JSON. */
  fail(): void {
    this.#failure ??= '';
  }

  /** The event that completes the answer has arrived. */
  end(): void {
    this.#isWhole = true;
  }

  readonly #report = (reported: Reported, yields: boolean): void => {
    if (yields) this.#yielding = merge(this.#yielding, reported);
    else this.#reported = merge(this.#reported, this.#withOtherChoices(reported));
  };

  #withOtherChoices(reported: Reported): Reported {
    const { choice, output } = reported;
    if (choice === undefined || output === undefined) return reported;
    if (this.#choices.size < MOST_CHOICES || this.#choices.has(choice)) this.#choices.set(choice, output);
    return { ...reported, output: [...this.#choices.values()].reduce((sum, each) => sum + each, 0) };
  }
}

/** Later counts replace earlier ones, but a later zero is no count: some engines send zeros after an event with counts. */
function merge(before: Reported, later: Reported): Reported {
  const { input, isCacheApart, cached, written, output } = later;
  const readsNothing = input === 0 && !cached && !written && (before.input ?? 0) > 0;
  const saysNothing = output === 0 && (before.output ?? 0) > 0;
  const inputs = readsNothing ? null : readCounts({ input, isCacheApart, cached, written, output: undefined });
  const outputs = saysNothing || output === undefined ? null : { output };
  return { ...before, ...inputs, ...outputs };
}
