import { median } from '../load/statistics.ts';
import type { Measured, Rounds } from './rounds.ts';

type Figure = (outcome: Measured) => number;

export const throughput: Figure = ({ callsPerSecond }) => callsPerSecond;
export const p50: Figure = (outcome) => outcome.p50;
export const p99: Figure = (outcome) => outcome.p99;
/** Microseconds of processor time for one call. */
export const ownTime: Figure = ({ processor }) => processor.own;
export const databaseTime: Figure = ({ processor }) => processor.database;

const of = (rounds: Rounds, name: string): readonly Measured[] => rounds.get(name) ?? [];

/** The median of a figure over the rounds of one peer. */
export function typical(rounds: Rounds, name: string, figure: Figure): number {
  return median(of(rounds, name).map(figure));
}

/** The median, over the rounds, of one peer's figure divided by another's of the same round; NaN where either was left out. */
export function ratio(rounds: Rounds, name: string, other: string, figure: Figure = throughput): number {
  return median(pairs(rounds, name, other).map(([one, another]) => figure(one) / figure(another)));
}

/** The median, over the rounds, of the time that one peer adds to another of the same round; NaN if either was left out. */
export function added(rounds: Rounds, name: string, other: string, figure: Figure): number {
  return median(pairs(rounds, name, other).map(([one, another]) => figure(one) - figure(another)));
}

/** The median, over the rounds, of PostgreSQL's time for one call of a peer divided by the whole time of another. */
export function databaseRatio(rounds: Rounds, name: string, other: string): number {
  return median(pairs(rounds, name, other).map(([one, another]) => databaseTime(one) / ownTime(another)));
}

function pairs(rounds: Rounds, name: string, other: string): (readonly [Measured, Measured])[] {
  const others = of(rounds, other);
  return of(rounds, name).flatMap((outcome, round) => {
    const same = others[round];
    return same === undefined ? [] : [[outcome, same] as const];
  });
}
