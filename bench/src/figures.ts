import type { Outcome } from './load/job.ts';
import type { Rounds } from './rounds.ts';
import { median } from './statistics.ts';

type Figure = (outcome: Outcome) => number;

export const throughput: Figure = ({ callsPerSecond }) => callsPerSecond;
export const p50: Figure = (outcome) => outcome.p50;
export const p99: Figure = (outcome) => outcome.p99;

const of = (rounds: Rounds, name: string): readonly Outcome[] => rounds.get(name) ?? [];

/** The median of a figure over the rounds of one peer. */
export function typical(rounds: Rounds, name: string, figure: Figure): number {
  return median(of(rounds, name).map(figure));
}

/** The median, over the rounds, of one peer's figure divided by another's of the same round. */
export function ratio(rounds: Rounds, name: string, other: string, figure: Figure = throughput): number {
  const others = of(rounds, other);
  return median(of(rounds, name).map((outcome, round) => figure(outcome) / figure(others[round] ?? outcome)));
}

/** The median, over the rounds, of what one peer adds to another of the same round. */
export function added(rounds: Rounds, name: string, other: string, figure: Figure): number {
  const others = of(rounds, other);
  return median(of(rounds, name).map((outcome, round) => figure(outcome) - figure(others[round] ?? outcome)));
}
