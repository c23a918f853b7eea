import { MemberValues } from '@gateway/json';
import { completes, READ_MEMBERS } from './apis/index.ts';
import type { UsageReading } from './counts.ts';

/** Longest value that is read; a real `usage` takes a few hundred bytes. */
const LONGEST = 16 * 1024;

/** At the top of an answer, and of each element where it is an array. */
const PATHS = READ_MEMBERS.map((path) => path.split('.')).flatMap((path) => [path, ['*', ...path]]);

/**
 * Reads the counts from JSON in transit, of any length, in bounded memory: an answer, several lines of it, or an event too long
 * to buffer.
 */
export class JsonUsage {
  readonly #values: MemberValues;
  readonly #usage: UsageReading;
  /** Whether it marks the answer as complete, which it is once the rest has arrived. */
  #isLast = false;

  constructor(usage: UsageReading) {
    this.#usage = usage;
    this.#values = new MemberValues(PATHS, LONGEST, (path, json) => {
      const value = parse(json);
      if (value === undefined) return;
      const payload = payloadOf(path, value);
      usage.count(payload);
      this.#isLast ||= completes(payload);
    });
  }

  push(chunk: Buffer): void {
    this.#values.push(chunk);
  }

  /** @param isWhole whether all of it has arrived. */
  end(isWhole: boolean): void {
    this.#values.end();
    if (isWhole && this.#isLast) this.#usage.end();
  }
}

/** The payload that contains only a value. */
function payloadOf(path: readonly string[], value: unknown): Record<string, unknown> {
  return path
    .filter((name) => name !== '*')
    .toReversed()
    .reduce((held: unknown, name) => ({ [name]: held }), value) as Record<string, unknown>;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined; // not JSON after all: nothing was reported
  }
}
