import { writeFileSync } from 'node:fs';
import { buildGateway } from '../support/build-gateway.ts';
import { machine } from '../support/machine.ts';
import { readOptions } from '../support/options.ts';
import { runFuzz } from './suite.ts';
import { TARGETS } from './targets/index.ts';

const HELP = `Usage: npm run fuzz -- [options]

Hands changed inputs to everything that reads what others send: ${TARGETS.map(({ name }) => name).join(', ')}.
Nothing may crash, be relayed or taken without proof, or make the program hold more and more memory.

Options:
  --cases N       in all (default 1000000)
  --minutes N     ends earlier (default 120)
  --seed N        the seed of an earlier run (default: a new one)
  --only NAME     one target alone; may be repeated
  --case N        one case alone, with --only and --seed
  --json FILE     writes the report
  --help          prints this text

Exit code 1: something was found. Exit code 2: wrong usage.

Example: npm run fuzz -- --only streams --seed 7 --case 399`;

const { given, usageError, number, integer } = readOptions('fuzz', HELP, {
  cases: { type: 'string', default: '1000000' },
  minutes: { type: 'string', default: '120' },
  only: { type: 'string', multiple: true },
  case: { type: 'string' },
});
const unknown = given.only?.find((name) => !TARGETS.some((target) => target.name === name));
if (unknown !== undefined) usageError(`There is no target "${unknown}".`);
if (given.case !== undefined && given.only?.length !== 1) usageError('--case needs one --only.');
const seed = integer('seed', given.seed, 0);
const options = { seed, cases: integer('cases', given.cases, 1), minutes: number('minutes', given.minutes, 0) };
const onlyCase = given.case === undefined ? undefined : integer('case', given.case, 0);
buildGateway();
process.stderr.write(`Seed ${seed}.\n`);
const begun = performance.now();
const report = await runFuzz({
  ...options,
  ...(given.only === undefined ? {} : { only: given.only }),
  ...(onlyCase === undefined ? {} : { onlyCase }),
  report: (line) => process.stderr.write(`${line}\n`),
});
const minutes = Math.round((performance.now() - begun) / 6000) / 10;
const text = JSON.stringify({ ...report, minutes, ...machine() }, null, 2);
if (given.json !== undefined) writeFileSync(given.json, `${text}\n`);
process.stdout.write(`${text}\n`);
process.exitCode = report.findings.length === 0 ? 0 : 1;
