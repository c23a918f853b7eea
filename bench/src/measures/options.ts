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
  const rounds = Number(values.rounds ?? (values.quick ? 6 : 8));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1');
  return {
    json: values.json ?? null,
    rounds,
    milliseconds: values.quick ? 200 : 3000,
    warmUpMilliseconds: WARM_UP_MS,
    grownRows: values.quick ? 300_000 : 10_000_000,
    onMemory: !values.quick,
  };
}
