import { median } from '../load/statistics.ts';
import type { Peer } from '../peers/peer.ts';
import { processorTime } from '../peers/processor-time.ts';
import { makeCalls } from './calls.ts';
import { keyOfSubject } from './population.ts';

/** Microseconds of processor time for one call. */
export interface Cost {
  readonly gateway: number;
  readonly database: number;
}

/** A database with its gateways, and how many subjects may call. */
export interface Case {
  readonly name: string;
  readonly processes: readonly [Peer, ...Peer[]];
  readonly subjects: number;
}

/** The callers of each process: another process represents more callers. */
const CALLERS = 16;
/** Usage records follow their answers within this time. */
const BEHIND_MS = 500;

/** Calls a process as often as needed until V8 has compiled its code: one that made fewer calls costs more for each. */
export async function warmUpCalls({ target }: Peer, subjects: number, count: number): Promise<void> {
  const keyOf = (call: number): string => keyOfSubject((call % subjects) + 1);
  await makeCalls({ ports: [target.port], path: target.path, keyOf, count, callers: CALLERS });
}

/** The cost of one call of a case, measured over a number of calls. */
export async function costOf({ processes, subjects }: Case, calls: number): Promise<Cost> {
  const [first] = processes;
  const used = (): Cost => ({
    gateway: processes.reduce((sum, one) => sum + processorTime({ ...one, postmaster: null }).own, 0),
    database: processorTime(first).database,
  });
  // A prime step visits subjects all over the population, the same ones in every round.
  const keyOf = (call: number): string => keyOfSubject(((call * 7919) % subjects) + 1);
  const run = (count: number) =>
    makeCalls({
      ports: processes.map(({ target }) => target.port),
      path: first.target.path,
      keyOf,
      count,
      callers: CALLERS * processes.length,
    });
  await run(Math.ceil(calls / 10)); // connections and pages that this round needs
  const before = used();
  await run(calls);
  await new Promise((resolve) => setTimeout(resolve, BEHIND_MS));
  const after = used();
  return { gateway: (after.gateway - before.gateway) / calls, database: (after.database - before.database) / calls };
}

export interface CostRatio extends Cost {
  readonly name: string;
}

/**
 * Measures every case once without counting it, then in interleaved rounds. The result is, for each, the median over the rounds
 * of its cost divided by that of the first case in the same round.
 */
export async function compareCosts<Each extends { readonly name: string }>(
  cases: readonly [Each, ...Each[]],
  rounds: number,
  measure: (one: Each) => Promise<Cost>,
): Promise<readonly CostRatio[]> {
  for (const each of cases) await measure(each);
  const costs = new Map(cases.map(({ name }) => [name, [] as Cost[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const at of cases.keys()) {
      const each = cases[(at + round) % cases.length] ?? cases[0];
      costs.get(each.name)?.push(await measure(each));
    }
  }
  const of = (name: string, what: keyof Cost): readonly number[] => costs.get(name)?.map((cost) => cost[what]) ?? [];
  const ratio = (name: string, what: keyof Cost): number => {
    const reference = of(cases[0].name, what);
    return median(of(name, what).map((value, round) => value / (reference[round] ?? Number.NaN)));
  };
  return cases.map(({ name }) => ({ name, gateway: ratio(name, 'gateway'), database: ratio(name, 'database') }));
}
