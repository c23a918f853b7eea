import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readArguments } from '../command-line.ts';
import { grow } from '../measures/grown.ts';
import { wholeNumber } from '../measures/options.ts';
import { number, table } from '../measures/report.ts';
import { type Gateway, gateway } from '../peers/gateway.ts';
import type { Peer } from '../peers/peer.ts';
import { secondProcess } from '../peers/second-process.ts';
import { type Case, compareCosts, costOf, warmUpCalls } from './costs.ts';
import { startHeldEngine } from './engine.ts';
import { keyOfSubject, populate } from './population.ts';
import { measureStreams } from './streams.ts';

const FEW_SUBJECTS = 1000;
/** Calls of each process before anything is measured. */
const WARM_UP_CALLS = 5000;
const USAGE = `Usage: npm run bench:growth -- [--subjects N] [--records N] [--streams N] [--calls N] [--rounds N] [--json FILE]

Measures whether the cost of a call stays the same as a deployment grows, then opens streams.

  --subjects N  subjects of the large population (default 100000)
  --records N   usage records and decisions of the filled tables (default 1000000)
  --streams N   streams that are open at once (default 1000)
  --calls N     calls of each measurement (default 1000)
  --rounds N    the number of interleaved rounds (default 5)
  --json FILE   write the figures to a file`;

const { subjects, records, streams, calls, rounds, json } = readArguments(USAGE, (args) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      subjects: { type: 'string', default: '100000' },
      records: { type: 'string', default: '1000000' },
      streams: { type: 'string', default: '1000' },
      calls: { type: 'string', default: '1000' },
      rounds: { type: 'string', default: '5' },
      json: { type: 'string' },
    },
  });
  return {
    subjects: wholeNumber('subjects', values.subjects),
    records: wholeNumber('records', values.records),
    streams: wholeNumber('streams', values.streams),
    calls: wholeNumber('calls', values.calls),
    rounds: wholeNumber('rounds', values.rounds),
    json: values.json,
  };
});
const print = (text: string): void => void process.stdout.write(`${text}\n`);

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
  const cases: readonly [Case, ...Case[]] = [
    { name: '1 process, 1000 subjects, no records', processes: [base], subjects: FEW_SUBJECTS },
    { name: '2 processes on one database', processes: [base, ...more.slice(0, 1)], subjects: FEW_SUBJECTS },
    { name: '4 processes on one database', processes: [base, ...more], subjects: FEW_SUBJECTS },
    { name: `${subjects} subjects`, processes: [crowd], subjects },
    { name: `${records} usage records and decisions`, processes: [aged], subjects: FEW_SUBJECTS },
  ];
  for (const each of [base, ...more, crowd, aged]) await warmUpCalls(each, FEW_SUBJECTS, WARM_UP_CALLS);
  const costRatios = await compareCosts(cases, rounds, (one) => costOf(one, calls));
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
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
} finally {
  await Promise.all(started.map((peer) => peer.stop()));
  engine.close();
}
