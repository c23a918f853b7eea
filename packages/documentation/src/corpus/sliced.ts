import { setImmediate as turn } from 'node:timers/promises';

/** A long calculation that may be interrupted at every `yield`. */
export type Sliced<Result> = Generator<undefined, Result, undefined>;

/** Longest time (ms) for which a calculation blocks the event loop before other requests run. */
const SLICE = 5;

/** Carries a calculation out in slices between which the process answers requests. */
export async function inSlices<Result>(work: Sliced<Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + SLICE;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await turn();
  }
}

/** Runs a calculation in one run, for tests and measurements. */
export function atOnce<Result>(work: Sliced<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
