import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { machine } from '../support/machine.ts';
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

function usageError(message: string): never {
  process.stderr.write(`${message}\nRun npm run long -- --help.\n`);
  process.exit(2);
}

function given() {
  try {
    return parseArgs({
      allowNegative: true,
      options: {
        minutes: { type: 'string', default: '10' },
        seed: { type: 'string', default: String(Date.now() % 2 ** 32) },
        commands: { type: 'boolean', default: true },
        json: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    return usageError((error as Error).message);
  }
}

const values = given();
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0)) usageError('--minutes must be a number above 0.');
if (!(seed >= 0)) usageError('--seed must be a number of at least 0.');
if (values.help) {
  process.stdout.write(`${HELP}\n`);
} else {
  const commands = values.commands && spawnSync('bwrap', ['--version']).status === 0;
  const report = await liveDay({ minutes, seed, commands, report: (line) => process.stderr.write(`${line}\n`) });
  const faults = faultsOf(report);
  const text = JSON.stringify({ faults, ...report, ...machine() }, null, 2);
  if (values.json !== undefined) writeFileSync(values.json, `${text}\n`);
  process.stdout.write(`${text}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
