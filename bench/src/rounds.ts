import type { Job, Outcome } from './load/job.ts';
import type { Load } from './load/load.ts';
import type { Peer } from './peers/peer.ts';

/** Every outcome of every peer, by the peer's name, in the order of the rounds. */
export type Rounds = ReadonlyMap<string, readonly Outcome[]>;

/** How long a gateway takes, at many callers, to be near its full rate. */
export const WARM_UP_MS = 2000;
const MANY = 64;

/**
 * Gives a peer calls until its code is compiled for speed: what is compared is how they serve, not how they start. Each kind
 * of answer that is measured, and one caller alone, which takes a way of its own.
 * @param milliseconds of each
 */
export async function warmUp(
  load: Load,
  { target }: Peer,
  answers: readonly Job['answer'][] = ['plain'],
  milliseconds = WARM_UP_MS,
): Promise<void> {
  for (const answer of answers) {
    await load.run({ target, answer, milliseconds, arrival: 'closed', callers: MANY });
    await load.run({ target, answer, milliseconds: milliseconds / 4, arrival: 'closed', callers: 1 });
  }
}

/**
 * Runs the same job against every peer in turn (A B C, B C A, C A B, …), so that a machine whose speed drifts slows all of
 * them alike. A first, short round is not counted.
 * @param job what to ask of a target; its length is one peer's share of one round
 */
export async function interleave(
  load: Load,
  peers: readonly Peer[],
  rounds: number,
  job: (target: Peer['target']) => Job,
): Promise<Rounds> {
  const outcomes = new Map<string, Outcome[]>(peers.map(({ name }) => [name, []]));
  for (const { target } of peers) await load.run({ ...job(target), milliseconds: 100 });
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < peers.length; turn += 1) {
      const peer = peers[(round + turn) % peers.length];
      if (peer === undefined) continue;
      const outcome = await load.run(job(peer.target));
      if (outcome.failures > 0) throw new Error(`${peer.name}: ${outcome.failures} calls failed`);
      outcomes.get(peer.name)?.push(outcome);
    }
  }
  return outcomes;
}
