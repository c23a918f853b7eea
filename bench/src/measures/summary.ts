import { median } from '../load/statistics.ts';
import { added, databaseRatio, ownTime, p50, p99, ratio } from './figures.ts';
import type { Summary } from './report.ts';
import type { Rounds } from './rounds.ts';

/** The names of the peers that are compared, as the tables show them. */
export const NAMES = {
  whole: 'gateway',
  hosted: 'gateway, hosted',
  grown: 'gateway, hosted, grown tables',
  bare: 'bare proxy',
  direct: 'direct',
  portkey: 'Portkey',
} as const;

/** The rounds of a run. Those by number of callers are of plain and of streamed answers. */
export interface Measurements {
  readonly plain: ReadonlyMap<number, Rounds>;
  readonly burst: ReadonlyMap<number, Rounds>;
  readonly open: Rounds;
  readonly paced: Rounds;
  readonly grown: Rounds;
  /** Milliseconds of one read and one durable commit, sampled between the rounds at one caller. */
  readonly floors: readonly number[];
  readonly twoProcessesToOne: Readonly<Record<string, number>>;
  readonly memoryMB: number;
}

type Compare = (rounds: Rounds, one: string, other: string) => number;

const NONE: Rounds = new Map();
const ownRatio: Compare = (rounds, one, other) => ratio(rounds, one, other, ownTime);

/** The ratios of a run. NaN where a peer was left out. */
export function summarize(measured: Measurements): Summary {
  const { plain, burst, open, paced } = measured;
  const byCallers = (all: ReadonlyMap<number, Rounds>, one: string, other: string, figure: Compare = ratio) =>
    Object.fromEntries([...all].map(([callers, rounds]) => [callers, figure(rounds, one, other)]));
  const { whole, hosted, bare, direct } = NAMES;
  return {
    ratios: {
      wholeToBare: byCallers(plain, whole, bare),
      gatewayCpuToBare: byCallers(plain, whole, bare, ownRatio),
      databaseCpuToBare: byCallers(plain, whole, bare, databaseRatio),
      streamCpuToBare: byCallers(burst, whole, bare, ownRatio),
      hostedToBare: byCallers(plain, hosted, bare),
      wholeToPortkey: byCallers(plain, whole, NAMES.portkey),
      streamWholeToBare: byCallers(burst, whole, bare),
      addedToFloor: added(plain.get(1) ?? NONE, whole, direct, p50) / median(measured.floors),
      streamDelayMs: {
        p50: added(paced, whole, direct, ({ eventDelay }) => eventDelay?.p50 ?? Number.NaN),
        p99: added(paced, whole, direct, ({ eventDelay }) => eventDelay?.p99 ?? Number.NaN),
      },
      openArrivalMs: { p50: added(open, whole, direct, p50), p99: added(open, whole, direct, p99) },
      grownToEmpty: ratio(measured.grown, NAMES.grown, hosted),
      twoProcessesToOne: measured.twoProcessesToOne,
    },
    memoryMB: measured.memoryMB,
  };
}
