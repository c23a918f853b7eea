import { parseArgs } from 'node:util';
import { readArguments } from '../command-line.ts';
import { wholeNumber } from '../measures/options.ts';
import { number, table } from '../measures/report.ts';
import { simulate } from './simulation.ts';
import { measureTurns } from './turns.ts';

const USAGE = `Usage: npm run bench:scale -- [--rounds N] [--seconds N] [--seed N]

Measures a turn of the decision log, and simulates more gateways and more logs from it.

  --rounds N   measured turns of each size, two for each (default 100)
  --seconds N  simulated time of each deployment (default 20)
  --seed N     of the arrivals (default 1)`;

const { rounds, seconds, seed } = readArguments(USAGE, (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '20' },
      seed: { type: 'string', default: '1' },
    },
  });
  return {
    rounds: wholeNumber('rounds', values.rounds),
    seconds: wholeNumber('seconds', values.seconds),
    seed: wholeNumber('seed', values.seed),
  };
});

const cost = await measureTurns(rounds);
process.stdout.write(
  `A turn takes ${number(cost.fixed, 2)} ms and ${number(1000 * cost.each, 1)} µs for each decision. Seed ${seed}.\n\n`,
);
const rows: string[][] = [];
for (const logs of [1, 2, 4]) {
  for (const gateways of [2, 8]) {
    for (const rate of [1000, 5000, 10_000, 20_000, 40_000]) {
      const { served, busy, p50, p99 } = simulate({ logs, gateways, rate }, cost, seconds * 1000, seed);
      rows.push([
        `${logs} × ${gateways}, ${rate}/s`,
        number(served, 0),
        `${number(100 * busy, 0)} %`,
        number(p50, 1),
        number(p99, 1),
      ]);
    }
  }
}
const heads = ['logs × gateways of each, calls', 'served/s', 'lock held', 'wait p50, ms', 'p99, ms'];
process.stdout.write(`${table('Simulated', heads, rows)}\n`);
