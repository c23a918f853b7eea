import type { Job, Outcome } from '../load/job.ts';
import type { Load } from '../load/load.ts';
import type { Peer } from '../peers/peer.ts';
import { type ProcessorTime, processorTime } from '../peers/processor-time.ts';

/** An outcome, and the processor time of one call in microseconds. */
export interface Measured extends Outcome {
  readonly processor: ProcessorTime;
}

/** Every outcome of every peer, by the peer's name, in the order of the rounds. */
export type Rounds = ReadonlyMap<string, readonly Measured[]>;

/** How long a gateway takes, at many callers, to be near its full rate: V8 compiles its code for some seconds. */
export const WARM_UP_MS = 10_000;
const MANY = 64;

/**
 * Calls a peer until its code is optimized: the benchmark compares serving, not starting. Each kind of answer that is measured,
 * and one caller alone, which takes a way of its own.
 * @param milliseconds for each kind of answer
 */
export async function warmUp(
  load: Load,
  { target }: Peer,
  answers: readonly Job['answer'][] = ['plain'],
  milliseconds = WARM_UP_MS,
): Promise<void> {
  for (const answer of answers) {
    await load.run({ target, answer, milliseconds: milliseconds * 0.8, arrival: 'closed', callers: MANY });
    await load.run({ target, answer, milliseconds: milliseconds * 0.2, arrival: 'closed', callers: 1 });
  }
}

async function measured(load: Load, peer: Peer, job: Job): Promise<Measured> {
  const before = processorTime(peer);
  const outcome = await load.run(job);
  if (outcome.failures > 0) throw new Error(`${peer.name}: ${outcome.failures} calls failed`);
  const { own, database } = processorTime(peer);
  const perCall = (time: number): number => time / outcome.calls;
  return { ...outcome, processor: { own: perCall(own - before.own), database: perCall(database - before.database) } };
}

/**
 * Runs the same job against every peer in turn (A B C, B C A, C A B, …), so that a machine whose speed drifts slows all of them
 * alike. A first, short round is not counted.
 * @param job the requests to a target; its length is one peer's share of one round
 * @param afterRound measures between the rounds
 */
export async function interleave(
  load: Load,
  peers: readonly Peer[],
  rounds: number,
  job: (target: Peer['target']) => Job,
  afterRound: () => Promise<void> = () => Promise.resolve(),
): Promise<Rounds> {
  const outcomes = new Map<string, Measured[]>(peers.map(({ name }) => [name, []]));
  for (const { target } of peers) await load.run({ ...job(target), milliseconds: 100 });
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < peers.length; turn += 1) {
      const peer = peers[(round + turn) % peers.length];
      if (peer === undefined) continue;
      outcomes.get(peer.name)?.push(await measured(load, peer, job(peer.target)));
    }
    await afterRound();
  }
  return outcomes;
}
