import { writeFileSync } from 'node:fs';
import { buildGateway } from '../support/build-gateway.ts';
import { machine } from '../support/machine.ts';
import { readOptions } from '../support/options.ts';
import { FAULT_NAMES, isClean, runSuite } from './suite.ts';

const HELP = `Usage: npm run faults -- [options]

Makes faults under load and checks that nothing is relayed without a decision, and that no usage, entry or answer is lost.
As root it also fills a disk; with strace it also makes system calls fail.

Options:
  --minutes N     how long at least (default 5)
  --requests N    how many calls at least (default 0; the long form makes 200000)
  --callers N     callers at the same time (default 16)
  --gateways N    gateway processes on the database (default 2)
  --seed N        the seed of an earlier run (default: a new one)
  --only NAME     one fault alone, by its name; may be repeated
  --json FILE     writes the report
  --list          prints the names of the faults
  --help          prints this text

SIGTERM or Ctrl+C ends the run after its current fault; the report is complete.

Exit code 1: something was relayed unrecorded, lost, missing or crossed. Exit code 2: wrong usage.

Example: npm run faults -- --minutes 60 --requests 200000 --json report.json`;

const { given, usageError, number, integer } = readOptions('faults', HELP, {
  minutes: { type: 'string', default: '5' },
  requests: { type: 'string', default: '0' },
  callers: { type: 'string', default: '16' },
  gateways: { type: 'string', default: '2' },
  only: { type: 'string', multiple: true },
  list: { type: 'boolean' },
});
if (given.list) {
  process.stdout.write(`${FAULT_NAMES.join('\n')}\n`);
} else {
  const unknown = given.only?.find((name) => !FAULT_NAMES.includes(name));
  if (unknown !== undefined) usageError(`There is no fault "${unknown}". --list prints their names.`);
  buildGateway();
  const seed = integer('seed', given.seed, 0);
  process.stderr.write(`Seed ${seed}.\n`);
  const end = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => end.abort());
  const report = await runSuite({
    ended: end.signal,
    seed,
    minutes: number('minutes', given.minutes, 0),
    requests: integer('requests', given.requests, 0),
    callers: integer('callers', given.callers, 1),
    gateways: integer('gateways', given.gateways, 1),
    systemCallStep: 1,
    ...(given.only === undefined ? {} : { only: given.only }),
    report: (line) => process.stderr.write(`${line}\n`),
  });
  const text = JSON.stringify({ ...report, ...machine() }, null, 2);
  if (given.json !== undefined) writeFileSync(given.json, `${text}\n`);
  process.stdout.write(`${text}\n`);
  // What is left of a world that has ended must not keep the run from ending: an hour's run once stayed, and took a whole core.
  process.exit(isClean(report) ? 0 : 1);
}
