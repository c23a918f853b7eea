import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Processor seconds that the test processes of a project may take. A run that takes half more fails: something became slow. */
const BUDGET_SECONDS: Readonly<Record<string, number>> = {
  pure: 350,
  database: 200,
  gateway: 280,
  replacing: 20,
  pages: 110,
  system: 100,
};

/** How many of the slowest files are named in any case, and from which duration on every file is. */
const NAMED = 10;
const SLOW_SECONDS = 10;

interface Times {
  readonly project: string;
  readonly file: string;
  readonly seconds: number;
  readonly processorSeconds: number;
}

const timesOf = (module: TestModule): Times => ({
  project: module.project.name,
  file: module.relativeModuleId,
  seconds: module.diagnostic().duration / 1000,
  processorSeconds: (module.meta().processorMs ?? 0) / 1000,
});

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The slowest files, those above ten seconds, and the processor time of each project. */
export function describeTimes(times: readonly Times[]): readonly string[] {
  const slowest = times.toSorted((one, other) => other.seconds - one.seconds);
  const named = slowest.filter(({ seconds }, at) => at < NAMED || seconds > SLOW_SECONDS);
  return [
    'Slowest files:',
    ...named.map(({ file, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${file}`),
    'Processor seconds of the test processes:',
    ...[...totals(times)].map(([project, seconds]) => `  ${seconds.toFixed(0).padStart(4)}  ${project}`),
  ];
}

function totals(times: readonly Times[]): ReadonlyMap<string, number> {
  const projects = Map.groupBy(times, ({ project }) => project);
  return new Map([...projects].map(([name, files]) => [name, sum(files.map((each) => each.processorSeconds))]));
}

/** Projects that took half more than their budget. */
export function overBudget(times: readonly Times[], budget = BUDGET_SECONDS): readonly string[] {
  return [...totals(times)].flatMap(([project, seconds]) => {
    const allowed = budget[project];
    if (allowed === undefined || seconds <= allowed * 1.5) return [];
    return [
      `The tests of "${project}" took ${seconds.toFixed(0)} processor seconds; their budget is ${allowed}. Make the slowest files quicker, or raise the budget in toolchain/test-times.ts with a reason.`,
    ];
  });
}

/** Prints where the time of a run went. A whole run that exceeds a budget by half fails. */
export class TestTimes implements Reporter {
  #isNarrowed = false;

  onInit({ config }: Vitest): void {
    this.#isNarrowed = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules.map(timesOf);
    if (times.length > 1) console.log(`\n${describeTimes(times).join('\n')}`);
    // Part of a project never exceeds the budget of the whole, so parts need no exception.
    const over = this.#isNarrowed ? [] : overBudget(times);
    if (over.length === 0) return;
    console.error(over.join('\n'));
    process.exitCode = 1;
  }
}
