import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/**
 * What is said of the tests that this machine could not run; null where there is none. A test that gave a reason for itself
 * (a registry that could not be reached) is not among them.
 */
function describeSkipped(modules: readonly TestModule[], failing: boolean): string | null {
  const skipped = modules
    .flatMap((module) => [...module.children.allTests('skipped')])
    .filter((test) => !hasReason(test));
  if (skipped.length === 0) return null;
  const names = skipped.map((test) => `  ${test.module.relativeModuleId} > ${test.fullName}`);
  return [
    `${skipped.length} test${skipped.length === 1 ? '' : 's'} did not run: something is missing on this machine. \`npm test\` names missing programs at its start.`,
    ...names,
    ...(failing ? ['With CI=true, this is a failure.'] : []),
  ].join('\n');
}

function hasReason(test: TestCase): boolean {
  const result = test.result();
  return result.state === 'skipped' && result.note !== undefined;
}

/** Names the tests that could not run, and lets the run fail for them with `CI=true`: there, nobody reads what was left out. */
export class SkippedTests implements Reporter {
  #isFiltered = false;

  onInit({ config }: Vitest): void {
    this.#isFiltered = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isFiltered) return;
    const failing = process.env['CI'] === 'true';
    const message = describeSkipped(modules, failing);
    if (message === null) return;
    console.error(`\n${message}`);
    if (failing) process.exitCode = 1;
  }
}
