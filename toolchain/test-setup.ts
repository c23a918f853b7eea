import { configureGlobal } from 'fast-check';
import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of the test process for one file, its imports included. */
    processorMs?: number;
  }
}

/**
 * Generated input is the same in every test run, so that results are reproducible; `TEST_SEED` selects other input. A failure
 * names its seed.
 */
configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_121) });

const before = process.cpuUsage();
// biome-ignore lint/correctness/noEmptyPattern: the test runner asks for a pattern
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, { file }) => {
  const { user, system } = process.cpuUsage(before);
  file.meta.processorMs = (user + system) / 1000;
});
