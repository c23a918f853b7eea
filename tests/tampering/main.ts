import { writeFileSync } from 'node:fs';
import { machine } from '../support/machine.ts';
import { readOptions } from '../support/options.ts';
import { randomOf } from '../support/random.ts';
import { verifyByCommand } from './command.ts';
import { caseOf, isSound, runTampering } from './suite.ts';

const HELP = `Usage: npm run tampering -- [options]

Tampers with a log in each way at every position, and verifies it. Verifies untouched logs, which must raise no alarm. Verifies
exported files with gatewayctl itself, at some positions.

Options:
  --entries N      length of the log (default 10000)
  --logs N         untouched logs (default 1000)
  --samples N      positions for the command (default 2)
  --seed N         the seed of an earlier run (default: a new one)
  --json FILE      writes the report
  --help           prints this text

Exit code 1: something was not detected, or an untouched log raised an alarm. Exit code 2: wrong usage.`;

const { given, integer } = readOptions('tampering', HELP, {
  entries: { type: 'string', default: '10000' },
  logs: { type: 'string', default: '1000' },
  samples: { type: 'string', default: '2' },
});
const begun = performance.now();
const seed = integer('seed', given.seed, 0);
const entries = integer('entries', given.entries, 2);
const report = await runTampering({
  seed,
  entries,
  cleanLogs: integer('logs', given.logs, 0),
  checkpointEvery: Math.min(1000, entries),
  report: (line) => process.stderr.write(`${((performance.now() - begun) / 1000).toFixed(0)} s: ${line}\n`),
});
const random = randomOf(seed + 1);
const command = verifyByCommand(caseOf(Math.min(entries, 1000), random), integer('samples', given.samples, 0), random);
const minutes = Math.round((performance.now() - begun) / 6000) / 10;
const text = JSON.stringify({ ...report, command, minutes, ...machine() }, null, 2);
if (given.json !== undefined) writeFileSync(given.json, `${text}\n`);
process.stdout.write(`${text}\n`);
const isCommandSound = command.isUntouchedIntact && command.positions === command.detected;
process.exitCode = isSound(report) && isCommandSound ? 0 : 1;
