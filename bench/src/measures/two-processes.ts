import type { Job } from '../load/job.ts';
import type { Load } from '../load/load.ts';
import { median } from '../load/statistics.ts';
import type { Peer } from '../peers/peer.ts';
import type { Options } from './options.ts';

/**
 * Two gateway processes on one database ÷ one, at the same number of callers in all, in turn. Both halves come from two load
 * programs at once, in either case, so that the load itself is the same.
 */
export async function measureTwoProcesses(
  loads: readonly [Load, Load],
  [first, second]: readonly [Peer, Peer],
  callers: number,
  options: Options,
): Promise<number> {
  const job = ({ target }: Peer): Job => ({
    target,
    answer: 'plain',
    milliseconds: options.milliseconds,
    arrival: 'closed',
    callers: callers / 2,
  });
  const both = async (one: Peer, other: Peer): Promise<number> => {
    const outcomes = await Promise.all([loads[0].run(job(one)), loads[1].run(job(other))]);
    return outcomes[0].callsPerSecond + outcomes[1].callsPerSecond;
  };
  await both(first, second);
  const ratios: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const one = await both(first, first);
    ratios.push((await both(first, second)) / one);
  }
  return median(ratios);
}
