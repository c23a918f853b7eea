import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { parseDatabaseAddress } from '@gateway/database';
import { createLogReader, type LogReader } from '@gateway/database/audit-log/log-reader';
import { createTestDatabase, startFaultProxy, type TestDatabase } from '@gateway/database/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../testing/eventually.ts';
import { heldObjects } from '../testing/memory.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { createCollector, type Destination, NotTaken } from './collector.ts';
import { type Exporter, type ExporterOptions, startExporter } from './exporter.ts';
import { createOtlp } from './open.ts';
import { type CollectorEvent, createOutgoing, type OutgoingEvent } from './outgoing.ts';
import { decide } from './testing/decisions.ts';

let database: TestDatabase;
let exporters: Exporter[];
let reports: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  exporters = [];
  reports = [];
});
afterEach(async () => {
  await Promise.all(exporters.map((one) => one.stop()));
  await database.drop();
});

/** A collector in memory that can be set to fail. */
function collector() {
  const self = {
    taken: [] as number[],
    batches: [] as number[],
    /** Asked before each delivery; what it throws is the delivery's fault. */
    before: async (_batch: readonly OutgoingEvent[]): Promise<void> => {},
    deliver: async (batch: readonly OutgoingEvent[]): Promise<void> => {
      await self.before(batch);
      self.batches.push(batch.length);
      self.taken.push(...batch.map(({ position }) => Number(position)));
    },
    close: async () => {},
  } satisfies Destination & Record<string, unknown>;
  return self;
}

const reader = (url = database.gatewayUrl): LogReader =>
  createLogReader({ address: parseDatabaseAddress(url), destination: 'here', budgetMs: 20_000, longestValue: 4096 });

function start(destination: Destination, more: Partial<ExporterOptions> = {}): Exporter {
  const quick = { every: 10, standby: 20, firstWait: 5, longestWait: 50 };
  const report = (line: string): number => reports.push(line);
  const exporter = startExporter({
    reader: reader(),
    destination,
    outgoing: createOutgoing(8192),
    report,
    ...quick,
    ...more,
  });
  exporters.push(exporter);
  return exporter;
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const position = async (): Promise<bigint | undefined> => {
  const [row] = await database.sql<{ position: bigint }[]>`
    select position from log_export_positions where destination = 'here' and source = 'decisions'`;
  return row?.position;
};

describe('the export', () => {
  it('sends existing and new entries, in order, each once', async () => {
    await decide(database, 250);
    const there = collector();
    start(there, { limit: 100 });
    await eventually(() => expect(there.taken).toHaveLength(250));
    await decide(database, 3);
    await eventually(() => expect(there.taken).toHaveLength(253));
    expect(there.taken).toEqual(upTo(253));
    await eventually(async () => expect(await position()).toBe(253n));
    expect(reports).toEqual([]);
  });

  // log-16
  it('continues at its position after a restart', async () => {
    await decide(database, 50);
    const there = collector();
    const first = start(there);
    await eventually(async () => expect(await position()).toBe(50n));
    await first.stop();
    await decide(database, 20);
    start(there);
    await eventually(() => expect(there.taken).toEqual(upTo(70)));
  });

  it('keeps nothing that was not confirmed: the batch is sent again, and only that one', async () => {
    await decide(database, 300);
    const there = collector();
    let deliveries = 0;
    there.before = async () => {
      deliveries += 1;
      if (deliveries === 2 || deliveries === 3) throw new Error('connect ECONNREFUSED 10.0.0.4:601');
    };
    start(there, { limit: 100 });
    await eventually(() => expect(there.taken).toHaveLength(300));
    expect(there.taken).toEqual(upTo(300));
    expect(deliveries).toBe(5);
    expect(reports).toEqual([
      'Log export: connect ECONNREFUSED 10.0.0.4:601. It is tried again; the entries stay in the logs until then.',
      'Log export: the collector takes events again.',
    ]);
  });

  it('waits before a retry, even if the collector asks for no wait', async () => {
    await decide(database, 5);
    const there = collector();
    let deliveries = 0;
    there.before = async () => {
      deliveries += 1;
      throw new NotTaken('the collector answered 503', { retryAfter: 0 });
    };
    start(there, { firstWait: 600_000, longestWait: 600_000 });
    await eventually(() => expect(deliveries).toBe(1));
    await decide(database, 50); // far more round trips than a further try takes
    expect(deliveries).toBe(1);
  });

  it('sends what is published besides the logs, again after a fault, and only once', async () => {
    const there: CollectorEvent[] = [];
    let faults = 2;
    const destination: Destination = {
      async deliver(batch) {
        faults -= 1;
        if (faults >= 0) throw new NotTaken('not now');
        there.push(...batch);
      },
      close: async () => {},
    };
    const event: CollectorEvent = { source: 'checkpoints', uid: 'one', time: 0, severity: 1, json: '{}' };
    const exporter = start(destination);
    exporter.publish(event);
    await eventually(() => expect(there).toEqual([event]));
    await decide(database, 2);
    await eventually(() => expect(there).toHaveLength(3));
    expect(there[0]).toEqual(event);
  });

  it('repeats the last batch at most when it is stopped in the middle', async () => {
    await decide(database, 300);
    const there = collector();
    const taken = Promise.withResolvers<void>();
    // The collector has it, but the gateway does not receive the confirmation.
    const deaf: Destination = {
      deliver: async (batch, signal) => {
        await there.deliver(batch as readonly OutgoingEvent[]);
        if (there.batches.length < 2) return;
        taken.resolve();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
      close: async () => {},
    };
    const first = start(deaf, { limit: 100 });
    await taken.promise;
    await first.stop();
    expect(reports).toEqual([]);
    expect(await position()).toBe(100n);
    start(there, { limit: 100 });
    await eventually(() => expect(there.taken).toHaveLength(400));
    expect(there.taken).toEqual([...upTo(200), ...upTo(300).slice(100)]);
  });

  it('sends smaller batches to a collector that refuses large ones, and larger again later, without a log line', async () => {
    await decide(database, 400);
    const there = collector();
    there.before = async (batch) => {
      if (batch.length > 30 && there.taken.length < 100)
        throw new NotTaken('the collector answered 413', { fewer: true });
    };
    start(there, { limit: 100 });
    await eventually(() => expect(there.taken).toEqual(upTo(400)));
    expect(Math.min(...there.batches)).toBeLessThanOrEqual(30);
    expect(Math.max(...there.batches)).toBeGreaterThan(30);
    expect(reports).toEqual([]);
  });

  it('sends everything to a collector that is too slow for a whole batch', async () => {
    await decide(database, 200);
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = (await json(request)) as { resourceLogs: [{ scopeLogs: [{ logRecords: object[] }] }] };
      await pause(4 * body.resourceLogs[0].scopeLogs[0].logRecords.length);
      response.end('{}');
    };
    const slow = createHttpServer((request, response) => {
      answer(request, response).catch(() => {}); // the exporter gave it up
    });
    slow.listen(0, '127.0.0.1');
    await once(slow, 'listening');
    onTestFinished(() => {
      slow.closeAllConnections();
      slow.close();
    });
    const tls = { addedAuthorities: [], client: null };
    const upstreams = createUpstreams({ httpsProxy: null, httpProxy: null, noProxy: null, tls, idleTimeout: 30_000 });
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/v1/logs`;
    start(createOtlp(createCollector({ url, variable: 'URL', headers: {}, upstreams, patience: 400 })));
    await eventually(async () => expect(await position()).toBe(200n), 100);
    expect(reports[0]).toContain('the collector did not answer within 0.4 s');
  });

  it('finds the refused event, sends the events before it once, and logs the collector’s message', async () => {
    await decide(database, 100);
    const there = collector();
    let tries = 0;
    there.before = async (batch) => {
      tries += 1;
      if (tries < 30 && batch.some(({ position: at }) => at === 70n))
        throw new NotTaken('the collector answered 400', { fewer: true, reply: 'too old' });
    };
    start(there, { limit: 100 });
    await eventually(() => expect(there.taken).toEqual(upTo(100)));
    expect(reports).toEqual([
      'Log export: the collector answered 400 (too old). It is tried again; the entries stay in the logs until then.',
      'Log export: the collector takes events again.',
    ]);
  });

  it('logs another fault that replaces the first', async () => {
    await decide(database, 10);
    const there = collector();
    const faults = ['ECONNREFUSED', 'ECONNREFUSED', '401', '401'];
    there.before = async () => {
      const fault = faults.shift();
      if (fault !== undefined) throw new Error(fault);
    };
    start(there);
    await eventually(() => expect(there.taken).toEqual(upTo(10)));
    await eventually(() => expect(reports).toHaveLength(3));
    expect(reports.map((line) => line.split('.')[0])).toEqual([
      'Log export: ECONNREFUSED',
      'Log export: 401',
      'Log export: the collector takes events again',
    ]);
  });

  it('logs the cause of a TLS error, without the library’s source location', async () => {
    await decide(database, 1);
    const clear = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    clear.listen(0, '127.0.0.1');
    onTestFinished(() => {
      clear.close();
    });
    await once(clear, 'listening');
    const there = collector();
    let tries = 0;
    there.before = async () => {
      tries += 1;
      if (tries === 1) await once(connect({ host: '127.0.0.1', ...(clear.address() as AddressInfo) }), 'secureConnect');
    };
    start(there);
    await eventually(() => expect(there.taken).toEqual([1]));
    expect(reports[0]).toMatch(/^Log export: TLS: wrong version number \(ERR_SSL_WRONG_VERSION_NUMBER\)\. It is tried/);
  });

  it('runs in one process at a time, and another takes over', async () => {
    await decide(database, 10);
    const [one, two] = [collector(), collector()];
    const first = start(one);
    await eventually(() => expect(one.taken).toEqual(upTo(10)));
    start(two);
    await decide(database, 10);
    await eventually(() => expect(one.taken).toEqual(upTo(20)));
    expect(two.taken).toEqual([]);
    await eventually(async () => expect(await position()).toBe(20n));
    await first.stop();
    await decide(database, 10);
    await eventually(() => expect(two.taken).toEqual(upTo(30).slice(20)));
  });

  it('outlives the loss of its database connection', async () => {
    const proxy = await startFaultProxy(database.gatewayUrl);
    await decide(database, 10);
    const there = collector();
    start(there, { reader: reader(proxy.through(database.gatewayUrl)) });
    await eventually(async () => expect(await position()).toBe(10n));
    proxy.cutAfter(0);
    await decide(database, 10);
    await eventually(() => expect(reports[0]).toMatch(/^Log export: the database is not available/));
    proxy.cutAfter(null);
    await eventually(() => expect(new Set(there.taken)).toEqual(new Set(upTo(20))));
    expect(there.taken.slice(0, 10)).toEqual(upTo(10));
    await exporters[0]?.stop();
    await proxy.close();
  });

  it('leaves twenty thousand pending entries in the log, not in memory', async () => {
    await decide(database, 20_000);
    let sent = 0;
    let last = 0n;
    const outOfOrder: bigint[] = [];
    let first = 0;
    let most = 0;
    const counting: Destination = {
      async deliver(batch) {
        for (const { position: at } of batch as readonly OutgoingEvent[]) {
          if (at !== last + 1n) outOfOrder.push(at);
          last = at;
        }
        sent += batch.length;
        // The first batch has loaded what is loaded once.
        if (first === 0) first = heldObjects();
        else if (sent % 4000 < batch.length) most = Math.max(most, heldObjects());
      },
      close: async () => {},
    };
    start(counting);
    await eventually(() => expect(sent).toBe(20_000), 50);
    expect(outOfOrder).toEqual([]);
    expect(most - first).toBeLessThan(8 * 2 ** 20);
  });
});
