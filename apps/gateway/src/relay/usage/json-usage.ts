import { MemberValues } from '@gateway/json';
import { completes, READ_MEMBERS } from './apis/index.ts';
import { BACKGROUND_PATHS, type BackgroundReading } from './background.ts';
import type { UsageReading } from './counts.ts';
import { FAILURE_MEMBERS } from './failure.ts';

/** Longest value that is read; a real `usage` takes a few hundred bytes. */
const LONGEST = 16 * 1024;
/** Elements of a list that are read together: counts of choices and predictions are added. Services allow fewer. */
const MOST_ELEMENTS = 256;

/** At the top of an answer, and of each element where it is an array. */
const USAGE_PATHS = [...new Set([...READ_MEMBERS, ...FAILURE_MEMBERS])]
  .map((path) => path.split('.'))
  .flatMap((path) => [path, ['*', ...path]]);
const isOf = (paths: readonly (readonly string[])[]) => {
  const names = new Map(paths.map((path) => [path.join('.'), path]));
  return (path: readonly string[]) => names.get(path.join('.'));
};
const backgroundPath = isOf(BACKGROUND_PATHS);
const usagePath = isOf(USAGE_PATHS);
const PATHS = [...USAGE_PATHS, ...BACKGROUND_PATHS.filter((path) => usagePath(path) === undefined)];

/**
 * Reads the counts from JSON in transit, of any length, in bounded memory: an answer, several lines of it, or an event too long
 * to buffer.
 */
export class JsonUsage {
  readonly #values: MemberValues;
  readonly #usage: UsageReading;
  /** Whether it marks the answer as complete, which it is once the rest has arrived. */
  #isLast = false;
  /** Values below the array that is read now; they are counted once, when something else follows. */
  #elements: { readonly list: number; readonly path: readonly string[]; readonly values: unknown[] } | null = null;

  constructor(usage: UsageReading, background: BackgroundReading) {
    this.#usage = usage;
    this.#values = new MemberValues(PATHS, LONGEST, (path, json, list) => {
      const value = parse(json);
      if (value === undefined) return;
      const shown = backgroundPath(path);
      if (shown !== undefined) background.member(shown, value);
      if (usagePath(path) === undefined) return;
      if (path.lastIndexOf('*') > 0) this.#keep(list, path, value);
      else {
        this.#countElements();
        this.#count(path, [value]);
      }
    });
  }

  #keep(list: number, path: readonly string[], value: unknown): void {
    if (this.#elements?.list !== list || this.#elements.path !== path) {
      this.#countElements();
      this.#elements = { list, path, values: [] };
    }
    if (this.#elements.values.length < MOST_ELEMENTS) this.#elements.values.push(value);
  }

  #countElements(): void {
    if (this.#elements === null) return;
    const { path, values } = this.#elements;
    this.#elements = null;
    this.#count(path, values);
  }

  #count(path: readonly string[], values: readonly unknown[]): void {
    const payload = payloadOf(path, values);
    this.#usage.count(payload);
    this.#isLast ||= completes(payload);
  }

  push(chunk: Buffer): void {
    this.#values.push(chunk);
  }

  /** @param isWhole whether all of it has arrived. */
  end(isWhole: boolean): void {
    this.#values.end();
    this.#countElements();
    if (isWhole && this.#isLast) this.#usage.end();
  }
}

/** The payload that contains only these values: one at a path without `*`, otherwise one of each element of its last. */
function payloadOf(path: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const names = path[0] === '*' ? path.slice(1) : path;
  const at = names.lastIndexOf('*');
  const wrap = (around: readonly string[], value: unknown): unknown =>
    around.toReversed().reduce((held: unknown, name) => (name === '*' ? [held] : { [name]: held }), value);
  if (at < 0) return wrap(names, values[0]) as Record<string, unknown>;
  const elements = values.map((value) => wrap(names.slice(at + 1), value));
  return wrap(names.slice(0, at), elements) as Record<string, unknown>;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined; // not JSON after all: nothing was reported
  }
}
