import type { Job } from '../load/job.ts';
import type { Load } from '../load/load.ts';
import type { Peer } from '../peers/peer.ts';
import { added, databaseTime, ownTime, p50, p99, ratio, throughput, typical } from './figures.ts';
import type { Options } from './options.ts';
import { number, table } from './report.ts';
import { interleave, type Rounds } from './rounds.ts';

export const CALLERS = [1, 16, 64, 256] as const;

/** Closed arrival: every peer, at every number of callers; prints a table each and hands back the rounds by callers. */
export async function measureClosed(
  load: Load,
  peers: readonly Peer[],
  answer: 'plain' | 'burst',
  options: Options,
  print: (text: string) => void,
  afterRound: (callers: number) => Promise<void> = () => Promise.resolve(),
): Promise<ReadonlyMap<number, Rounds>> {
  const all = new Map<number, Rounds>();
  for (const callers of CALLERS) {
    const job = (target: Peer['target']): Job => ({
      target,
      answer,
      milliseconds: options.milliseconds,
      arrival: 'closed',
      callers,
    });
    const rounds = await interleave(load, peers, options.rounds, job, () => afterRound(callers));
    all.set(callers, rounds);
    const rows = peers.map(({ name }) => [
      name,
      number(typical(rounds, name, throughput), 0),
      number(ratio(rounds, name, 'bare proxy')),
      number(typical(rounds, name, ownTime), 0),
      number(typical(rounds, name, databaseTime), 0),
      number(typical(rounds, name, p50)),
      number(typical(rounds, name, p99)),
      number(added(rounds, name, 'direct', p50)),
      number(added(rounds, name, 'direct', p99)),
    ]);
    const title = `${answer === 'plain' ? 'Plain answers' : 'Streamed answers, 100 events at once'}, ${callers} callers`;
    print(
      table(
        title,
        ['', 'calls/s', '÷ bare', 'CPU µs', 'database µs', 'p50 ms', 'p99 ms', 'added p50', 'added p99'],
        rows,
      ),
    );
  }
  return all;
}
