import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { addAbortSignal } from 'node:stream';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { type Destination, NotTaken } from './destination.ts';
import type { CollectorEvent } from './outgoing.ts';
import { frameOf } from './syslog-frame.ts';
import { unacknowledged } from './unacknowledged.ts';

export interface SyslogOptions {
  readonly host: string;
  readonly port: number;
  /** Null: clear text. */
  readonly secureContext: (() => SecureContext) | null;
  /** Milliseconds the collector may take to open a connection, to take more bytes, and to close. Default 30,000. */
  readonly patience?: number;
  /** Bytes the collector's system has not acknowledged; null where nothing tells. Default: as this system says. */
  readonly outstanding?: (socket: Socket) => Promise<number | null>;
}

const PATIENCE = 30_000;
/** Bytes handed to the socket at once. */
const PIECE = 64 * 1024;
/** Milliseconds between two looks at what is outstanding, at first and at most. */
const LOOK = { first: 1, last: 50 };
/** Milliseconds to wait for a sign that the collector had closed before it read, at most, where nothing else tells. */
const LONGEST_DOUBT = 1000;
const CLOSED_EARLY = 'the collector closed the connection before it had read everything';

/**
 * Syslog has no receipts, so a connection is its own: one batch, then the gateway closes its side and waits until the
 * collector closes too (RFC 5425 section 4.4). It does so once it has read everything. What it left unread when it died or was
 * stopped comes back as a reset, and the batch is sent again.
 *
 * That reset only counts while the connection is open here. Bytes that reach a collector after it closed are answered with
 * one, too, but by then its end may have been seen, and would be taken for the answer to ours. So the gateway closes its side
 * only after the system at the other end has acknowledged every byte: bytes that were acknowledged arrived while the
 * collector was there, and from then on it can end the connection without a reset only by reading them.
 */
export function createSyslog(options: SyslogOptions): Destination {
  const { host, port, secureContext, patience = PATIENCE, outstanding = unacknowledged } = options;
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
    socket.resume(); // whatever a collector says is not for us, but its end must be seen
    for (const piece of pieces(batch)) if (!socket.write(piece)) await open(once(socket, 'drain'));
    await open(
      new Promise<void>((resolve, reject) => {
        socket.write('', (error) => (error ? reject(error) : resolve()));
      }),
    );
    await open(arrival(socket, roundTrip));
    // An end that was here before the last byte was acknowledged has been seen after two turns: between them the socket is read.
    await open(turn().then(() => turn()));
    if (finished) throw new NotTaken(CLOSED_EARLY);
    socket.end();
    await closed;
    if (fault !== null) throw fault;
    if (!finished) throw new NotTaken('the connection ended before the collector closed its side');
  }

  /** Resolves once everything that was written has arrived. @param roundTrip milliseconds to the collector and back */
  async function arrival(socket: Socket, roundTrip: number): Promise<void> {
    let before = Number.POSITIVE_INFINITY;
    for (let look = LOOK.first; ; look = Math.min(2 * look, LOOK.last)) {
      const now = await outstanding(socket);
      if (now === 0) return;
      // A reset takes a round trip. A connection that is gone has told so by then.
      if (now === null) return pause(Math.min(1 + 2 * roundTrip, LONGEST_DOUBT));
      if (now < before) socket.setTimeout(patience); // slow, not silent
      before = now;
      await pause(look);
    }
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
      // Silence of the collector, in whatever phase.
      socket.setTimeout(patience, () => {
        socket.destroy(new NotTaken(`the collector was silent for ${patience / 1000} s`));
      });
      await send(socket, batch).finally(() => socket.destroy());
    },
    close: async () => {},
  };
}
