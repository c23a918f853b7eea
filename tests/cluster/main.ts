import { writeFileSync } from 'node:fs';
import { buildGateway } from '../support/build-gateway.ts';
import { machine } from '../support/machine.ts';
import { readOptions } from '../support/options.ts';
import { missingHere } from './patroni.ts';
import { FAULT_NAMES, isClean, runSuite, type SuiteReport } from './suite.ts';

const HELP = `Usage: npm run cluster -- [options]

Runs three PostgreSQL servers under Patroni with etcd, HAProxy, two gateways and the console on this machine. Makes faults of the
cluster under load, and compares what the engine and the callers saw with the log. It needs root, for network namespaces and small
disks, and packages of Debian, which it names.

Options:
  --minutes N      how long at least, for each kind of replication (default 10)
  --synchronous    only with synchronous_mode (default: both kinds, one after the other)
  --asynchronous   only without it
  --callers N      callers at the same time (default 16)
  --seed N         the seed of an earlier run (default: a new one)
  --only NAME      one fault alone, by its name; may be repeated
  --json FILE      writes the report
  --list           prints the names of the faults
  --help           prints this text

SIGTERM or Ctrl+C ends the run after its current fault, with its report; a second one at once. Everything that was started is ended.

Exit code 1: something was unlogged, lost, doubled or forked, a call was refused in a short switchover, or the cluster did not recover
from a fault, which ends the run. With asynchronous replication, entries may be lost that the log records as missing. Exit code 2:
wrong usage, or something is missing here.

Example: npm run cluster -- --minutes 30 --synchronous --json report.json`;

const { given, usageError, number, integer } = readOptions('cluster', HELP, {
  minutes: { type: 'string', default: '10' },
  synchronous: { type: 'boolean' },
  asynchronous: { type: 'boolean' },
  callers: { type: 'string', default: '16' },
  only: { type: 'string', multiple: true },
  list: { type: 'boolean' },
});
if (given.list) {
  process.stdout.write(`${FAULT_NAMES.join('\n')}\n`);
} else {
  const unknown = given.only?.find((name) => !FAULT_NAMES.includes(name));
  if (unknown !== undefined) usageError(`There is no fault "${unknown}". --list prints their names.`);
  const missing = missingHere();
  if (missing !== null) usageError(missing);
  buildGateway();
  const seed = integer('seed', given.seed, 0);
  process.stderr.write(`Seed ${seed}.\n`);
  const end = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => (end.signal.aborted ? process.exit(1) : end.abort()));
  }
  const kinds = given.synchronous === given.asynchronous ? [true, false] : [given.synchronous === true];
  const reports: SuiteReport[] = [];
  const written = (): string => {
    const text = JSON.stringify({ ...machine(), runs: reports }, null, 2);
    if (given.json !== undefined) writeFileSync(given.json, `${text}\n`);
    return text;
  };
  for (const synchronous of kinds) {
    if (end.signal.aborted) break;
    process.stderr.write(synchronous ? 'With synchronous_mode.\n' : 'Without synchronous_mode.\n');
    reports.push(
      await runSuite({
        ended: end.signal,
        seed,
        minutes: number('minutes', given.minutes, 0),
        callers: integer('callers', given.callers, 1),
        synchronous,
        ...(given.only === undefined ? {} : { only: given.only }),
        report: (line) => process.stderr.write(`${line}\n`),
      }),
    );
    written();
  }
  process.stdout.write(`${written()}\n`);
  process.exit(reports.every(isClean) ? 0 : 1);
}
