import { median } from '../load/statistics.ts';
import type { Spent } from './measure.ts';

/** The median over the rounds of what a tool took, divided by what the base took in the same round. NaN: never measured. */
export interface Multiples {
  readonly wall: number;
  readonly processor: number;
}

/**
 * Runs the base and every tool in turns, so that what else the machine does affects all of them. The first round, with cold
 * caches, is not counted.
 */
export async function compareSpent<Tool>(
  base: Tool,
  tools: readonly Tool[],
  rounds: number,
  run: (tool: Tool) => Promise<Spent>,
): Promise<ReadonlyMap<Tool, Multiples>> {
  const spent = new Map<Tool, { readonly wall: number[]; readonly processor: number[] }>(
    tools.map((tool) => [tool, { wall: [], processor: [] }]),
  );
  for (let round = 0; round <= rounds; round += 1) {
    const floor = await run(base);
    for (const tool of tools) {
      const { wallMs, processorMs } = await run(tool);
      if (round === 0) continue;
      spent.get(tool)?.wall.push(wallMs / floor.wallMs);
      spent.get(tool)?.processor.push(processorMs / Math.max(1, floor.processorMs));
    }
  }
  return new Map(
    [...spent].map(([tool, { wall, processor }]) => [tool, { wall: median(wall), processor: median(processor) }]),
  );
}

/** The same for one time. A tool that fails once is left out of the later rounds; its message is kept. */
export async function compareTimes<Tool>(
  base: Tool,
  tools: readonly Tool[],
  rounds: number,
  time: (tool: Tool) => Promise<number>,
): Promise<{ readonly multiples: ReadonlyMap<Tool, number>; readonly faults: readonly string[] }> {
  const found = new Map<Tool, number[]>(tools.map((tool) => [tool, []]));
  const faults = new Map<Tool, string>();
  for (let round = 0; round <= rounds; round += 1) {
    const floor = await time(base);
    for (const tool of tools.filter((each) => !faults.has(each))) {
      try {
        const taken = await time(tool);
        if (round > 0) found.get(tool)?.push(taken / floor);
      } catch (error) {
        faults.set(tool, error instanceof Error ? error.message : String(error));
      }
    }
  }
  const multiples = new Map([...found].map(([tool, times]) => [tool, median(times)]));
  return { multiples, faults: [...faults.values()] };
}
