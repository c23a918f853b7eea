import { parseArgs } from 'node:util';
import { WARM_UP_MS } from './rounds.ts';

export interface Options {
  /** Where the ratios are written as JSON, or null. */
  readonly json: string | null;
  readonly rounds: number;
  /** One peer's share of one round. */
  readonly milliseconds: number;
  /** How long a peer is warmed up by each kind of answer. */
  readonly warmUpMilliseconds: number;
  /** Usage records and decisions in the filled tables. */
  readonly grownRows: number;
  /** Whether a gateway with its database in memory is measured, too. */
  readonly onMemory: boolean;
}

/** `--quick` stays under five minutes; the whole run takes over half an hour. Anything unknown is refused by `parseArgs`. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { quick: { type: 'boolean', default: false }, json: { type: 'string' }, rounds: { type: 'string' } },
  });
  return {
    json: values.json ?? null,
    rounds: wholeNumber('rounds', values.rounds ?? (values.quick ? '6' : '8')),
    milliseconds: values.quick ? 200 : 3000,
    warmUpMilliseconds: WARM_UP_MS,
    grownRows: values.quick ? 300_000 : 10_000_000,
    onMemory: !values.quick,
  };
}

/** The value of an option that takes a whole number from 1: a measurement of none would print a table of dashes. */
export function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`--${option} takes a whole number from 1`);
}

export interface ComparisonOptions {
  readonly json: string | null;
  readonly rounds: number;
  readonly milliseconds: number;
  /** How long each gateway is called before anything is measured. */
  readonly warmUpMilliseconds: number;
  /** Numbers of callers, each measured by itself. */
  readonly callers: readonly number[];
}

/** @param callers the numbers unless `--callers` gives others, separated by commas */
export function readComparison(args: readonly string[], callers: string): ComparisonOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'string' },
      rounds: { type: 'string', default: '8' },
      milliseconds: { type: 'string', default: '1500' },
      'warm-up': { type: 'string', default: String(WARM_UP_MS) },
      callers: { type: 'string', default: callers },
    },
  });
  return {
    json: values.json ?? null,
    rounds: wholeNumber('rounds', values.rounds),
    milliseconds: wholeNumber('milliseconds', values.milliseconds),
    warmUpMilliseconds: wholeNumber('warm-up', values['warm-up']),
    callers: values.callers.split(',').map((count) => wholeNumber('callers', count)),
  };
}
