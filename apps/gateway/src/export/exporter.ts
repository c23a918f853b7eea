import { setTimeout as pause, setImmediate as soon } from 'node:timers/promises';
import { errorCode } from '@gateway/contract';
import { DatabaseUnavailable } from '@gateway/database';
import type { ExportRecord, ExportSource, LogReader, Positions } from '@gateway/database/audit-log/log-reader';
import type { Report } from '../process/report.ts';
import { type Destination, NotTaken } from './collector.ts';
import type { CollectorEvent, MakeOutgoing, OutgoingEvent } from './outgoing.ts';

export interface ExporterOptions {
  readonly reader: LogReader;
  readonly destination: Destination;
  readonly outgoing: MakeOutgoing;
  readonly report: Report;
  /** Entries of each source per read. Default 1000. */
  readonly limit?: number;
  /** Milliseconds between looks for new entries. Default 1000. */
  readonly every?: number;
  /** Milliseconds between looks whether the process that exports is still there. Default 5000. */
  readonly standby?: number;
  /** Milliseconds before the first further try; doubled up to `longestWait`. Defaults 500 and 60,000. */
  readonly firstWait?: number;
  readonly longestWait?: number;
}

export interface Exporter {
  /** Sends an event that is in no log, once this process is the exporter. A later event replaces it. */
  publish(event: CollectorEvent): void;
  /** Ends it; what is under way is given up, and sent again by the next. */
  stop(): Promise<void>;
}

/** Bytes of one batch, about. */
const BATCH = 2 * 1024 * 1024;
/** Entries made into events in one go, a fraction of a millisecond; between them calls are served. */
const SLICE = 16;
/** The export resumes soon after a fail-over, however long it took. */
const LONGEST_DATABASE_WAIT_MS = 5000;
/** A reduced batch grows again, slowly: a collector that accepts no larger one refuses each attempt. */
const GROWTH = 9 / 8;

/**
 * Sends the logs' entries to the collector in order, each at least once (log-16). A batch is read, delivered, then confirmed, so
 * a process that ends in between repeats only that batch. At most one batch is in memory. Relayed calls do not depend on the
 * export.
 */
export function startExporter(options: ExporterOptions): Exporter {
  const { reader, destination, outgoing, report, limit = 1000, every = 1000, standby = 5000 } = options;
  const { firstWait = 500, longestWait = 60_000 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let most = limit;
  let wait = firstWait;
  /** Events of the batch under way. */
  let sent = 0;
  let published: CollectorEvent | null = null;
  /** The last report of a fault that still lasts. */
  let reported: string | null = null;

  /** The events of a batch, as many as fit. */
  async function batchOf(records: readonly ExportRecord[]): Promise<OutgoingEvent[]> {
    const batch: OutgoingEvent[] = [];
    let bytes = 0;
    for (const [index, record] of records.entries()) {
      if (index % SLICE === SLICE - 1) await soon();
      const event = outgoing(record);
      batch.push(event);
      bytes += event.json.length;
      if (bytes >= BATCH || batch.length === most) break;
    }
    return batch;
  }

  async function deliverPublished(): Promise<void> {
    const event = published;
    if (event === null) return;
    sent = 1;
    await destination.deliver([event], signal);
    if (published === event) published = null;
  }

  /** One batch. @returns milliseconds until the next look. */
  async function round(): Promise<number> {
    if (!(await reader.claim())) return standby;
    await deliverPublished();
    const asked = most;
    const records = await reader.read(asked);
    if (records.length === 0) return every;
    const batch = await batchOf(records);
    sent = batch.length;
    await destination.deliver(batch, signal);
    await reader.confirm(lastOf(batch));
    if (reported !== null) report('Log export: the collector takes events again.', 'info');
    reported = null;
    wait = firstWait;
    most = Math.min(limit, Math.ceil(most * GROWTH));
    return batch.length < records.length || records.length >= asked ? 0 : every;
  }

  /** A fault is reported once, not at every attempt. */
  function reportOnce(error: unknown): void {
    const cause = causeOf(error);
    const reply = error instanceof NotTaken && error.reply !== '' ? ` (${error.reply})` : '';
    if (cause !== reported)
      report(`Log export: ${cause}${reply}. It is tried again; the entries stay in the logs until then.`);
    reported = cause;
  }

  /** @returns milliseconds until the next. */
  function afterFault(error: unknown): number {
    if (signal.aborted) return 0; // what is given up because the export ends is no fault
    const refused = error instanceof NotTaken ? error : null;
    if (refused?.fewer === true && sent > 1) {
      // A smaller batch passes, or isolates the refused event.
      most = Math.floor(sent / 2);
      if (refused.isReported) reportOnce(refused);
      return firstWait;
    }
    reportOnce(error);
    const asked = refused?.retryAfter ?? null;
    // Never immediately, even if the collector says so: each attempt reads a batch from the database.
    const longest =
      error instanceof DatabaseUnavailable ? Math.min(longestWait, LONGEST_DATABASE_WAIT_MS) : longestWait;
    const next = Math.min(longest, Math.max(firstWait, asked ?? wait * (0.75 + Math.random() / 2)));
    wait = Math.min(longest, wait * 2);
    return next;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const next = await round().catch(afterFault);
      if (signal.aborted) return;
      await pause(next, undefined, { signal }).catch(() => {}); // stopped in between
    }
  }

  const running = run();
  return {
    publish(event) {
      published = event;
    },
    async stop() {
      stopping.abort();
      await running;
      reader.close();
      await destination.close();
    },
  };
}

function lastOf(batch: readonly OutgoingEvent[]): Positions {
  const last = new Map<ExportSource, bigint>();
  for (const { source, position } of batch) last.set(source, position);
  return Object.fromEntries(last);
}

/** The cause on one line; network errors contain an address and a code, never the data sent. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error) && ` (${errorCode(error)})`;
  // OpenSSL's message is a thread, a file and a line; only the reason in the middle is useful.
  if ('library' in error && 'reason' in error) return `TLS: ${String(error.reason)}${code}`;
  const [line = ''] = error.message.split('\n', 1);
  return `${line || error.name}${line.includes(code.slice(2, -1)) ? '' : code}`;
}
