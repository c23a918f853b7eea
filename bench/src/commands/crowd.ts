import { number } from '../measures/report.ts';
import type { MeasuredCommand } from './command.ts';

export const MEBIBYTE = 2 ** 20;
/** Milliseconds between two looks at the memory. */
const LOOK_MS = 100;

/** Commands that run at once, each of which writes so many bytes, which no caller reads for `hold` milliseconds. */
export interface CrowdPlan {
  readonly count: number;
  readonly bytes: number;
  readonly hold: number;
}

export interface Crowd extends CrowdPlan {
  /** Commands whose output came whole and that ended with 0. */
  readonly intact: number;
  readonly seconds: number;
  /** Megabytes. */
  readonly memory: { readonly before: number; readonly most: number; readonly after: number };
}

/** Runs the commands at once and watches the memory. */
export async function measureCrowd(
  plan: CrowdPlan,
  run: (index: number) => Promise<MeasuredCommand>,
  memory: () => number,
): Promise<Crowd> {
  const before = memory();
  let most = before;
  const look = (): void => {
    most = Math.max(most, memory());
  };
  const watch = setInterval(look, LOOK_MS);
  const begun = performance.now();
  try {
    const runs = await Promise.all(Array.from({ length: plan.count }, (_, index) => run(index)));
    look();
    const intact = runs.filter(({ bytes, code }) => bytes === plan.bytes && code === 0).length;
    return { ...plan, intact, seconds: (performance.now() - begun) / 1000, memory: { before, most, after: memory() } };
  } finally {
    clearInterval(watch);
  }
}

/** A line of the table: what ran, how much of it came whole, and its figures. */
export function crowdRow({ count, bytes, hold, intact, seconds, memory }: Crowd): readonly string[] {
  const what = `${count} × ${bytes / MEBIBYTE} MiB${hold === 0 ? '' : `, unread for ${hold / 1000} s`}`;
  const numbers = [seconds, memory.before, memory.most, memory.after];
  return [what, `${intact}/${count}`, ...numbers.map((value) => number(value, 0))];
}
