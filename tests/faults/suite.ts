import { randomOf } from '../support/random.ts';
import { type Audit, audit } from './audit.ts';
import type { Fault } from './faults/fault.ts';
import { IDENTITY_FAULTS } from './faults/identity.ts';
import { NETWORK_FAULTS } from './faults/network.ts';
import { POSTGRES_FAULTS } from './faults/postgres.ts';
import { PROCESS_FAULTS } from './faults/process.ts';
import { killAtEachCall, mayTrace, SYSTEM_CALL_FAULTS } from './faults/system-call.ts';
import { createWorld, type World } from './world.ts';

const FAULTS: readonly Fault[] = [
  ...POSTGRES_FAULTS,
  ...NETWORK_FAULTS,
  ...PROCESS_FAULTS,
  ...IDENTITY_FAULTS,
  ...SYSTEM_CALL_FAULTS,
];

/** What is made once, behind the others. */
const EACH_SYSTEM_CALL = 'gateway killed at each system call of a request';

export const FAULT_NAMES: readonly string[] = [...FAULTS.map(({ name }) => name), EACH_SYSTEM_CALL];

export interface SuiteOptions {
  readonly seed: number;
  /** The suite goes through all faults again and again until both are reached. */
  readonly minutes: number;
  readonly requests: number;
  readonly callers: number;
  readonly gateways: number;
  /** The gateway is killed at each `n`th system call of a request. */
  readonly systemCallStep: number;
  /** Names of the faults to run; all where it is absent. */
  readonly only?: readonly string[];
  /** Ends the suite after the fault that runs, with its report. */
  readonly ended?: AbortSignal;
  readonly report: (line: string) => void;
}

export interface SuiteReport extends Audit {
  readonly seed: number;
  readonly requests: number;
  /** Processes that got SIGKILL: gateways and PostgreSQL. */
  readonly kills: number;
  readonly restarts: number;
  readonly minutes: number;
  /** Answers by status; 0: none. */
  readonly statuses: Readonly<Record<string, number>>;
  /** How often each fault was made. */
  readonly faults: Readonly<Record<string, number>>;
  /** Faults that could not be made here, with the reason. */
  readonly notRun: Readonly<Record<string, string>>;
}

export const isClean = ({ unlogged, lostUsage, gaps, crossed }: Audit): boolean =>
  unlogged + lostUsage + gaps + crossed === 0;

/** Makes faults under load and compares what engine, callers and database saw. */
export async function runSuite(options: SuiteOptions): Promise<SuiteReport> {
  const random = randomOf(options.seed);
  const begun = performance.now();
  const elapsedMinutes = (): number => (performance.now() - begun) / 60_000;
  const world = await createWorld(random, options.callers, options.gateways);
  try {
    const faults: Record<string, number> = {};
    const notRun: Record<string, string> = {};
    const chosen = FAULTS.filter(({ name }) => options.only?.includes(name) ?? true);
    await world.recovered();
    do {
      for (const { name, missing, run } of random.shuffled(chosen)) {
        if (options.ended?.aborted) break;
        const reason = missing?.(world) ?? null;
        if (reason !== null) {
          notRun[name] = reason;
          continue;
        }
        options.report(`${elapsedMinutes().toFixed(1)} min, ${world.callers.observed.requests} requests: ${name}`);
        world.callers.observed.phase = name;
        await run(world);
        await world.recovered();
        faults[name] = (faults[name] ?? 0) + 1;
      }
    } while (
      !options.ended?.aborted &&
      (elapsedMinutes() < options.minutes || world.callers.observed.requests < options.requests)
    );
    await atEachSystemCall(world, options, faults, notRun);
    await world.callers.pause();
    return { ...reportOf(world, options, elapsedMinutes()), faults, notRun, ...(await audit(world)) };
  } finally {
    await world.close();
  }
}

async function atEachSystemCall(
  world: World,
  { systemCallStep, only, report }: SuiteOptions,
  faults: Record<string, number>,
  notRun: Record<string, string>,
): Promise<void> {
  const name = EACH_SYSTEM_CALL;
  if (only !== undefined && !only.includes(name)) return;
  if (!mayTrace()) {
    notRun[name] = 'strace is not installed, or may not trace here';
    return;
  }
  report(name);
  faults[name] = await killAtEachCall(world, systemCallStep);
  await world.recovered();
}

function reportOf({ callers: { observed }, database, gateways }: World, { seed }: SuiteOptions, minutes: number) {
  const statuses = [...observed.statuses].sort(([one], [other]) => one - other);
  return {
    requests: observed.requests,
    kills: gateways.counts.kills + database.counts.kills,
    restarts: gateways.counts.restarts + database.counts.restarts,
    seed,
    minutes: Math.round(minutes * 10) / 10,
    statuses: Object.fromEntries(statuses),
  };
}
