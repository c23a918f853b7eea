import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { addAbortSignal } from 'node:stream';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { BRAND } from '@gateway/contract';
import type { DatabaseAddress } from '@gateway/database';
import { createLogReader } from '@gateway/database/audit-log/log-reader';
import type { LogExportConfiguration } from '../config/log-export.ts';
import type { Report } from '../process/report.ts';
import { secureContextOf } from '../upstream/tunnel.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { type Collector, createCollector, type Destination, NotTaken } from './collector.ts';
import { type Exporter, startExporter } from './exporter.ts';
import { OCSF_VERSION } from './ocsf.ts';
import { type CollectorEvent, createOutgoing } from './outgoing.ts';

/** The settings of the export, in a form that can be sent to another thread. */
export interface ExportParts {
  readonly configuration: LogExportConfiguration;
  readonly database: DatabaseAddress;
  /** Milliseconds the database may take of one answer. */
  readonly budgetMs: number;
  /** Settings of the connections to providers that apply to the collector, too. */
  readonly upstream: {
    readonly httpsProxy: string | null;
    readonly noProxy: string | null;
    readonly addedAuthorities: readonly string[];
  };
}

/** Milliseconds of silence allowed once the collector's answer has begun. */
const IDLE = 30_000;

/** Starts the export of the logs (log-16). */
export function openExporter(parts: ExportParts, report: Report): Exporter {
  const { configuration, database, budgetMs } = parts;
  const { address, eventBytes } = configuration;
  return startExporter({
    reader: createLogReader({ address: database, destination: address, budgetMs, longestValue: eventBytes }),
    destination: destinationOf(parts),
    outgoing: createOutgoing(eventBytes),
    report,
  });
}

function destinationOf({ configuration, upstream }: ExportParts): Destination {
  const { protocol, secure, host, port, address, headers } = configuration;
  const addedAuthorities = [...upstream.addedAuthorities, ...configuration.tls.addedAuthorities];
  const tls = { addedAuthorities, client: configuration.tls.client };
  if (protocol === 'syslog') return createSyslog({ host, port, secureContext: secure ? secureContextOf(tls) : null });
  const httpsProxy = upstream.httpsProxy === null ? null : new URL(upstream.httpsProxy);
  // Clear text stays on this machine and uses no proxy.
  const upstreams = createUpstreams({ httpsProxy, httpProxy: null, noProxy: upstream.noProxy, tls, idleTimeout: IDLE });
  return createOtlp(createCollector({ url: address, variable: 'GATEWAY_LOG_EXPORT_URL', headers, upstreams }));
}

/** SeverityNumber and SeverityText of the logs data model, by the framework's `severity_id`. */
const SEVERITY: readonly (readonly [number, string])[] = [
  [9, 'INFO'],
  [9, 'INFO'],
  [10, 'INFO2'],
  [13, 'WARN'],
  [17, 'ERROR'],
];

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });

/** A batch as an ExportLogsServiceRequest in its JSON form (OTLP 1.x); the body of each record is the event's JSON. */
function otlpBody(batch: readonly CollectorEvent[], observedAt: number): string {
  const nanoseconds = (milliseconds: number): string => `${milliseconds}000000`;
  const logRecords = batch.map(({ source, uid, time, severity, json }) => {
    const [severityNumber, severityText] = SEVERITY[severity] ?? [9, 'INFO'];
    return {
      timeUnixNano: nanoseconds(time),
      observedTimeUnixNano: nanoseconds(observedAt),
      severityNumber,
      severityText,
      body: { stringValue: json },
      attributes: [attribute(`${BRAND}.log`, source), attribute('log.record.uid', uid)],
    };
  });
  const resource = { attributes: [attribute('service.name', BRAND), attribute('host.name', hostname())] };
  const scope = { name: 'ocsf', version: OCSF_VERSION };
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope, logRecords }] }] });
}

/** OTLP/HTTP logs: an answer of 200 is the receipt. Nothing is given up: what the collector refuses is sent again. */
export function createOtlp(collector: Collector): Destination {
  return {
    async deliver(batch, signal) {
      const { text, reply } = await collector.post(otlpBody(batch, Date.now()), signal);
      const rejected = countRejected(text);
      if (rejected > 0)
        throw new NotTaken(`the collector rejected ${rejected} of ${batch.length} events`, {
          fewer: true,
          isReported: true,
          reply,
        });
    },
    close: () => collector.close(),
  };
}

const REJECTED = /^\s*\{.*?"rejected(?:LogRecords|_log_records)"\s*:\s*"?(\d+)/s;

interface PartialSuccess {
  readonly rejectedLogRecords?: string | number;
  readonly rejected_log_records?: string | number;
}

/** `partialSuccess.rejectedLogRecords`, a 64-bit number that JSON writes as a text. Some collectors keep the names of the protocol's source. */
function countRejected(text: string): number {
  try {
    const answer = JSON.parse(text) as { partialSuccess?: PartialSuccess; partial_success?: PartialSuccess } | null;
    const partial = answer?.partialSuccess ?? answer?.partial_success;
    return Number(partial?.rejectedLogRecords ?? partial?.rejected_log_records ?? 0) || 0;
  } catch {
    // Nothing or a word, as some collectors answer 200; or a message so long that only its beginning was read.
    return Number(REJECTED.exec(text)?.[1] ?? 0);
  }
}

/** Facility 13, log audit (RFC 5424 section 6.2.1). */
const FACILITY = 13;

/** Syslog severity of the framework's `severity_id`: informational, notice, warning, error. */
const SYSLOG_SEVERITY: readonly number[] = [6, 6, 5, 4, 3];

const MSGID: Readonly<Record<CollectorEvent['source'], string>> = {
  decisions: 'decision',
  actions: 'action',
  detections: 'detection',
  acts: 'act',
  checkpoints: 'checkpoint',
};

/** The sender: HOSTNAME and PROCID of the header, printable ASCII without a space. */
interface Speaker {
  readonly host: string;
  readonly process: number;
}

/**
 * One event as an RFC 5424 message in an octet-counted frame (RFC 6587 section 3.4.1, RFC 5425 section 4.3). The message is
 * UTF-8 without a byte order mark, which collectors would take for a part of the JSON.
 */
function frameOf({ source, time, severity, json }: CollectorEvent, { host, process }: Speaker): Buffer {
  const priority = FACILITY * 8 + (SYSLOG_SEVERITY[severity] ?? 6);
  const name = host.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 255) || '-';
  const header = `<${priority}>1 ${new Date(time).toISOString()} ${name} ${BRAND} ${process} ${MSGID[source]} -`;
  const message = Buffer.from(`${header} ${json}`);
  return Buffer.concat([Buffer.from(`${message.length} `), message]);
}

export interface SyslogOptions {
  readonly host: string;
  readonly port: number;
  /** Null: clear text. */
  readonly secureContext: (() => SecureContext) | null;
  /** Milliseconds the collector may take to open a connection, to take more bytes, and to close. Default 30,000. */
  readonly patience?: number;
}

const PATIENCE = 30_000;
/** Bytes written to the socket in one call. */
const PIECE = 64 * 1024;
/** The longest wait for the reset of a collector that closed before it read everything. */
const MAX_RESET_WAIT_MS = 1000;
const CLOSED_EARLY = 'the collector closed the connection before it had read everything';

/**
 * Syslog has no acknowledgements, so a connection carries one batch: the gateway closes its side and waits until the collector
 * closes too (RFC 5425 section 4.4). A collector that stops with unread bytes resets the connection, and the batch is sent again.
 *
 * After the gateway closed its side, it cannot distinguish the end of a collector that stopped before it read everything. So it
 * first waits long enough for a reset: two round trips.
 */
export function createSyslog(options: SyslogOptions): Destination {
  const { host, port, secureContext, patience = PATIENCE } = options;
  const speaker = { host: hostname(), process: process.pid };

  function open(): Socket {
    if (secureContext === null) return connectTcp({ host, port });
    const servername = isIP(host) === 0 ? { servername: host } : {};
    return connectTls({ host, port, ...servername, secureContext: secureContext(), rejectUnauthorized: true });
  }

  async function send(socket: Socket, batch: readonly CollectorEvent[]): Promise<void> {
    const asked = performance.now();
    let fault: Error | null = null;
    let finished = false;
    socket.on('error', (error) => {
      fault ??= error;
    });
    socket.once('end', () => {
      finished = true;
    });
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
    });
    /** Waits for the socket, but not longer than it lives. */
    const open = <Value>(wait: Promise<Value>): Promise<Value> => {
      const gone = closed.then((): never => {
        throw fault ?? new NotTaken(CLOSED_EARLY);
      });
      return Promise.race([wait, gone]);
    };

    await open(once(socket, secureContext === null ? 'connect' : 'secureConnect'));
    const roundTrip = performance.now() - asked;
    socket.resume(); // a collector's data is discarded, but its end must be noticed
    for (const piece of pieces(batch)) if (!socket.write(piece)) await open(once(socket, 'drain'));
    await open(
      new Promise<void>((resolve, reject) => {
        socket.write('', (error) => (error ? reject(error) : resolve()));
      }),
    );
    await open(pause(Math.min(1 + 2 * roundTrip, MAX_RESET_WAIT_MS)));
    // An end that arrived meanwhile has been seen after two turns: the socket is read between them.
    await open(turn().then(() => turn()));
    if (finished) throw new NotTaken(CLOSED_EARLY);
    socket.end();
    await closed;
    if (fault !== null) throw fault;
    if (!finished) throw new NotTaken('the connection ended before the collector closed its side');
  }

  function* pieces(batch: readonly CollectorEvent[]): Generator<Buffer> {
    let frames: Buffer[] = [];
    let length = 0;
    for (const event of batch) {
      const frame = frameOf(event, speaker);
      frames.push(frame);
      length += frame.length;
      if (length < PIECE) continue;
      yield Buffer.concat(frames);
      frames = [];
      length = 0;
    }
    yield Buffer.concat(frames);
  }

  return {
    async deliver(batch, signal) {
      const socket = addAbortSignal(signal, open());
      // The collector is silent, in any phase.
      socket.setTimeout(patience, () => {
        const silent = `the collector was silent for ${patience / 1000} s`;
        socket.destroy(new NotTaken(silent, { fewer: true, isReported: true }));
      });
      await send(socket, batch).finally(() => socket.destroy());
    },
    close: async () => {},
  };
}
