import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { addAbortSignal } from 'node:stream';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { BRAND } from '@gateway/contract';
import { type Destination, NotTaken } from './collector.ts';
import type { CollectorEvent } from './outgoing.ts';

/** Facility 13, log audit (RFC 5424 section 6.2.1). */
const FACILITY = 13;

/** Syslog severity of the framework's `severity_id`: informational, notice, warning, error. */
const SEVERITY: readonly number[] = [6, 6, 5, 4, 3];

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
  const priority = FACILITY * 8 + (SEVERITY[severity] ?? 6);
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
