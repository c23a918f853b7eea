import { Connection } from './connection.ts';
import { type Job, type Outcome, requestBytes } from './job.ts';
import { quantile } from './statistics.ts';

/** The load program: a separate process that receives jobs over its channel and sends back their results. */
const STAMP = /@(\d+)@/g;

function delays(into: number[]): (part: Buffer) => void {
  return (part) => {
    const now = process.hrtime.bigint();
    for (const [, stamp] of part.toString('latin1').matchAll(STAMP)) into.push(Number(now - BigInt(stamp ?? 0)) / 1e6);
  };
}

interface Ended {
  readonly failures: number;
  readonly calls: number;
}

/** Milliseconds in which callers that have just connected come into step: nothing of them is counted. */
const LEAD_IN = 100;

/** Calls that end within the window, every caller at work: neither while they come into step nor while they leave. */
async function closed(job: Job & { arrival: 'closed' }, latencies: number[], events: number[]): Promise<Ended> {
  const request = requestBytes(job.target, job.answer);
  const watch = job.answer === 'paced' ? delays(events) : null;
  const connections = await Promise.all(
    Array.from({ length: job.callers }, () => Connection.open(job.target.port, request, watch)),
  );
  let failures = 0;
  let calls = 0;
  const begin = performance.now() + LEAD_IN;
  const end = begin + job.milliseconds;
  await Promise.all(
    connections.map(async (connection) => {
      for (let now = 0; now < end; ) {
        try {
          const { status, milliseconds } = await connection.exchange();
          now = performance.now();
          calls += 1;
          if (status !== 200) failures += 1;
          else if (now >= begin && now < end) latencies.push(milliseconds);
        } catch {
          failures += 1;
          return;
        }
      }
    }),
  );
  for (const connection of connections) connection.close();
  return { failures, calls };
}

/** Calls start by the clock, whether earlier ones have ended or not; idle connections are used again. */
async function open(job: Job & { arrival: 'open' }, latencies: number[]): Promise<Ended> {
  const request = requestBytes(job.target, job.answer);
  const idle: Connection[] = [];
  const running: Promise<void>[] = [];
  let failures = 0;
  const one = async (from: number): Promise<void> => {
    try {
      const connection = idle.pop() ?? (await Connection.open(job.target.port, request));
      const { status } = await connection.exchange();
      if (status === 200) latencies.push(performance.now() - from);
      else failures += 1;
      idle.push(connection);
    } catch {
      failures += 1;
    }
  };
  const startedAt = performance.now();
  const due = (call: number): number => (call * 1000) / job.rate;
  for (let sent = 0; due(sent) < job.milliseconds; ) {
    const now = performance.now() - startedAt;
    // No call is due after the job's time, also where this program was stopped for longer.
    for (; due(sent) <= now && due(sent) < job.milliseconds; sent += 1) running.push(one(startedAt + due(sent)));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
  for (const connection of idle) connection.close();
  return { failures, calls: latencies.length + failures };
}

async function run(job: Job): Promise<Outcome> {
  const latencies: number[] = [];
  const events: number[] = [];
  const { failures, calls } = await (job.arrival === 'closed' ? closed(job, latencies, events) : open(job, latencies));
  return {
    callsPerSecond: (latencies.length * 1000) / job.milliseconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failures,
    calls,
    eventDelay: events.length === 0 ? null : { p50: quantile(events, 0.5), p99: quantile(events, 0.99) },
  };
}

process.on('message', (job: Job) => {
  run(job).then(
    (outcome) => process.send?.(outcome),
    (error: unknown) => {
      process.stderr.write(`load: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => process.exit(0));
