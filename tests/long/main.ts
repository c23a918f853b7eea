import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { machine } from '../support/machine.ts';
import { readOptions } from '../support/options.ts';
import { liveDay } from './day.ts';
import { faultsOf } from './report.ts';

const HELP = `Usage: npm run long -- [options]

Lives through a day of mixed load in a few minutes: calls and streams by the hour, engines that fail, pages of the console, revocations
of subjects in the middle of a stream, commands, export of logs and metrics. Compares memory, handles and threads of gateway and console
at noon and at midnight, after the same load, and looks at timers, vacuumed tables, and the log.

Options:
  --minutes N     how long the day is (default 10)
  --seed N        the seed of an earlier run (default: a new one)
  --no-commands   runs no commands; they need bubblewrap
  --json FILE     writes the report
  --help          prints this text

Exit code 1: something grew, drifted, failed or was lost. Exit code 2: wrong usage. Needs Linux.`;

const { given, usageError, number, integer } = readOptions('long', HELP, {
  minutes: { type: 'string', default: '10' },
  commands: { type: 'boolean', default: true },
});
const [minutes, seed] = [number('minutes', given.minutes, 0), integer('seed', given.seed, 0)];
if (minutes === 0) usageError('--minutes must be a number above 0.');
const commands = given.commands && spawnSync('bwrap', ['--version']).status === 0;
const report = await liveDay({ minutes, seed, commands, report: (line) => process.stderr.write(`${line}\n`) });
const faults = faultsOf(report);
const text = JSON.stringify({ faults, ...report, ...machine() }, null, 2);
if (given.json !== undefined) writeFileSync(given.json, `${text}\n`);
process.stdout.write(`${text}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
