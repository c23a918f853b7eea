import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { median } from '../load/statistics.ts';
import { grow } from '../measures/grown.ts';
import { wholeNumber } from '../measures/options.ts';
import { number, table } from '../measures/report.ts';
import { type Gateway, gateway } from '../peers/gateway.ts';
import type { Peer } from '../peers/peer.ts';
import { processorTime } from '../peers/processor-time.ts';
import { secondProcess } from '../peers/second-process.ts';
import { makeCalls } from './calls.ts';
import { startHeldEngine } from './engine.ts';
import { keyOfSubject, populate } from './population.ts';
import { measureStreams } from './streams.ts';

const FEW_SUBJECTS = 1000;
const { values } = parseArgs({
  options: {
    subjects: { type: 'string', default: '100000' },
    records: { type: 'string', default: '1000000' },
    streams: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
});
const subjects = wholeNumber('subjects', values.subjects);
const records = wholeNumber('records', values.records);
const streams = wholeNumber('streams', values.streams);
const calls = wholeNumber('calls', values.calls);
const rounds = wholeNumber('rounds', values.rounds);
const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Microseconds of processor time for one call. */
interface Cost {
  readonly gateway: number;
  readonly database: number;
}

/** A database with its gateways, and how many subjects may call. */
interface Case {
  readonly name: string;
  readonly processes: readonly Peer[];
  readonly subjects: number;
}

/** Of each process: another process represents more callers. */
const CALLERS = 16;
/** Calls of each process before anything is measured. */
const WARM_UP_CALLS = 5000;
/** Usage records follow their answers within this time. */
const BEHIND_MS = 500;

async function costOf({ processes, subjects: known }: Case): Promise<Cost> {
  const [first] = processes;
  if (!first) throw new Error('no process');
  const used = (): Cost => ({
    gateway: processes.reduce((sum, one) => sum + processorTime({ ...one, postmaster: null }).own, 0),
    database: processorTime(first).database,
  });
  // A prime step visits subjects all over the population, the same ones in every round.
  const keyOf = (call: number): string => keyOfSubject(((call * 7919) % known) + 1);
  const run = (count: number) =>
    makeCalls({
      ports: processes.map(({ target }) => target.port),
      path: first.target.path,
      keyOf,
      count,
      callers: CALLERS * processes.length,
    });
  await run(Math.ceil(calls / 10)); // connections and pages that this round needs
  const before = used();
  await run(calls);
  await new Promise((resolve) => setTimeout(resolve, BEHIND_MS));
  const after = used();
  return { gateway: (after.gateway - before.gateway) / calls, database: (after.database - before.database) / calls };
}

const engine = await startHeldEngine();
const started: Peer[] = [];
const keep = <Kind extends Peer>(peer: Kind): Kind => {
  started.push(peer);
  return peer;
};
try {
  const stack = async (name: string, known: number): Promise<Gateway> => {
    const peer = keep(await gateway(name, engine.url));
    await populate(peer.database.owner, known);
    return peer;
  };
  const base = await stack('base', FEW_SUBJECTS);
  print(`Declaring ${subjects} subjects …`);
  const crowd = await stack('subjects', subjects);
  const aged = await stack('records', FEW_SUBJECTS);
  print(`Filling tables with ${records} usage records and as many decisions …`);
  await grow(aged.database.owner, records);
  const more = [];
  for (let left = 3; left > 0; left -= 1) more.push(keep(await secondProcess(base)));
  const one: Case = { name: '1 process, 1000 subjects, no records', processes: [base], subjects: FEW_SUBJECTS };
  const cases: readonly Case[] = [
    one,
    { name: '2 processes on one database', processes: [base, ...more.slice(0, 1)], subjects: FEW_SUBJECTS },
    { name: '4 processes on one database', processes: [base, ...more], subjects: FEW_SUBJECTS },
    { name: `${subjects} subjects`, processes: [crowd], subjects },
    { name: `${records} usage records and decisions`, processes: [aged], subjects: FEW_SUBJECTS },
  ];
  // A process is compiled while it works: one that has made fewer calls costs more for each.
  for (const { target } of [base, ...more, crowd, aged]) {
    const keyOf = (call: number): string => keyOfSubject((call % FEW_SUBJECTS) + 1);
    await makeCalls({ ports: [target.port], path: target.path, keyOf, count: WARM_UP_CALLS, callers: CALLERS });
  }
  for (const each of cases) await costOf(each);
  const costs = new Map(cases.map(({ name }) => [name, [] as Cost[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const at of cases.keys()) {
      const each = cases[(at + round) % cases.length] ?? one;
      costs.get(each.name)?.push(await costOf(each));
    }
  }
  const of = (name: string, what: keyof Cost): readonly number[] => costs.get(name)?.map((cost) => cost[what]) ?? [];
  const ratio = (name: string, what: keyof Cost): number => {
    const reference = of(one.name, what);
    return median(of(name, what).map((value, round) => value / (reference[round] ?? Number.NaN)));
  };
  const costRatios = cases.map(({ name }) => ({
    name,
    gateway: ratio(name, 'gateway'),
    database: ratio(name, 'database'),
  }));
  const rows = costRatios.map(({ name, gateway: own, database }) => [name, number(own), number(database)]);
  print(table('Processor time for one call ÷ that of the first line', ['', 'gateway', 'PostgreSQL'], rows));

  print(`\nOpening ${streams} streams …`);
  const measured = await measureStreams(engine, {
    port: base.target.port,
    pid: base.pid ?? 0,
    path: base.target.path,
    keyOf: (stream) => keyOfSubject((stream % FEW_SUBJECTS) + 1),
    count: streams,
    events: 20,
  });
  print(
    table(
      `${streams} open streams`,
      ['', ''],
      [
        ['memory of one, kB', number(measured.kilobytesPerStream, 0)],
        ['an event to all readers, ms', number(measured.eventToAllMs, 0)],
        ['the same beside a reader that reads nothing, ms', number(measured.besideSlowReaderMs, 0)],
        ['memory for that reader, MB', number(measured.slowReaderMB, 0)],
      ],
    ),
  );
  const report = { subjects, records, streams, costRatios, ...measured };
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
} finally {
  await Promise.all(started.map((peer) => peer.stop()));
  engine.close();
}
