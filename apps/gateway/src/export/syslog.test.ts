import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { createAuthority } from '@gateway/access/development-authority';
import { freePort } from '@gateway/database/embedded';
import { afterEach, describe, expect, it } from 'vitest';
import { secureContextOf } from '../upstream/tunnel.ts';
import type { Destination } from './collector.ts';
import { createSyslog, type SyslogOptions } from './open.ts';
import { anEvent } from './testing/events.ts';
import { RSYSLOG_INSTALLED, RSYSLOG_TLS, type Rsyslog, startRsyslog } from './testing/rsyslog.ts';

const never = new AbortController().signal;
const over: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of over.splice(0).toReversed()) await end();
});

const authority = createAuthority('Test authority');
const { certificate: cert, key } = authority.certify(['localhost', '127.0.0.1']);

async function receiver(secure: boolean): Promise<{ rsyslog: Rsyslog; syslog: Destination }> {
  const rsyslog = await startRsyslog(secure ? { cert, key } : null);
  over.push(() => rsyslog.remove());
  const tls = { addedAuthorities: [authority.certificate], client: null };
  const secureContext = secure ? secureContextOf(tls) : null;
  return {
    rsyslog,
    syslog: createSyslog({ host: secure ? 'localhost' : '127.0.0.1', port: rsyslog.port, secureContext }),
  };
}

/** A proxy to a port that forwards a number of bytes, then nothing more of its first connection until it is widened. */
async function startNarrowWay(
  port: number,
  most: number,
): Promise<{ port: number; full: Promise<void>; widen(): void }> {
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  let wide = false;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let passed = 0;
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.on('end', () => other.end());
    }
    far.on('data', (part) => near.write(part));
    near.on('data', (part) => {
      passed += part.length;
      if (!far.write(part)) {
        near.pause();
        far.once('drain', () => near.resume());
      }
      if (wide || passed < most) return;
      near.pause();
      far.removeAllListeners('drain');
      isFull();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  over.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    full,
    widen() {
      wide = true;
      // A receiver that had read everything before it was killed ended normally: only more bytes are answered with a reset.
      for (const socket of sockets) socket.resume();
    },
  };
}

describe.each(
  [
    ['TCP', false],
    ['TLS', true],
  ].filter(([, secure]) => (secure ? RSYSLOG_TLS : RSYSLOG_INSTALLED)) as [string, boolean][],
)('rsyslog over %s', (_, secure) => {
  it('understands every message, in order, and has written it when the delivery is confirmed', async () => {
    const { rsyslog, syslog } = await receiver(secure);
    const sources = ['decisions', 'actions', 'detections', 'acts'] as const;
    const batch = Array.from({ length: 400 }, (_, index) =>
      anEvent({ source: sources[index % 4] ?? 'acts', severity: 1 + (index % 4), position: BigInt(index) }),
    );
    await syslog.deliver(batch, never);
    const received = rsyslog.received();
    expect(received.map(({ message }) => message)).toEqual(batch.map(({ json }) => json));
    expect(received.slice(0, 4)).toEqual(
      ['decision', 'action', 'detection', 'act'].map((msgid, index) => ({
        priority: 13 * 8 + ([6, 5, 4, 3][index] ?? 0),
        timestamp: '2026-11-21T10:00:00.007Z',
        host: hostname(),
        app: 'gateway',
        process: String(process.pid),
        msgid,
        message: batch[index]?.json,
      })),
    );
  });

  it('gets everything although it is killed and started again in the middle', async () => {
    const { rsyslog } = await receiver(secure);
    const way = await startNarrowWay(rsyslog.port, 1_000_000);
    const tls = { addedAuthorities: [authority.certificate], client: null };
    const secureContext = secure ? secureContextOf(tls) : null;
    const syslog = createSyslog({ host: secure ? 'localhost' : '127.0.0.1', port: way.port, secureContext });
    const batch = Array.from({ length: 30_000 }, (_, index) =>
      anEvent({ json: `{"n":${index},"x":"${'y'.repeat(900)}"}` }),
    );
    let tries = 0;
    const { promise: killed, resolve: isKilled } = Promise.withResolvers<void>();
    const delivered = (async () => {
      for (;;) {
        tries += 1;
        try {
          await syslog.deliver(batch, never);
          return;
        } catch {
          await killed;
          await rsyslog.start();
        }
      }
    })();
    await way.full;
    await rsyslog.stop('SIGKILL');
    way.widen();
    isKilled();
    await delivered;
    expect(tries).toBeGreaterThan(1);
    const numbers = rsyslog.received().map(({ message }) => (JSON.parse(message) as { n: number }).n);
    // The data before the kill, then the whole batch once more, in order.
    expect(numbers.slice(-30_000)).toEqual(Array.from({ length: 30_000 }, (_, index) => index));
  });
});

describe('a receiver over TLS', () => {
  it.runIf(RSYSLOG_TLS)('with an untrusted certificate gets nothing', async () => {
    const { rsyslog } = await receiver(true);
    const secureContext = secureContextOf({ addedAuthorities: [], client: null });
    const stranger = createSyslog({ host: 'localhost', port: rsyslog.port, secureContext });
    await expect(stranger.deliver([anEvent()], never)).rejects.toThrow(/certificate/);
    expect(rsyslog.received()).toEqual([]);
  });

  it.runIf(RSYSLOG_TLS)('of another name gets nothing', async () => {
    const other = authority.certify(['elsewhere.example']);
    const rsyslog = await startRsyslog({ cert: other.certificate, key: other.key });
    over.push(() => rsyslog.remove());
    const secureContext = secureContextOf({ addedAuthorities: [authority.certificate], client: null });
    const wrong = createSyslog({ host: 'localhost', port: rsyslog.port, secureContext });
    await expect(wrong.deliver([anEvent()], never)).rejects.toThrow(/localhost|altnames/);
    expect(rsyslog.received()).toEqual([]);
  });
});

describe('a delivery is not confirmed', () => {
  const listening = async (serve: (socket: Socket) => void, allowHalfOpen = true): Promise<Server> => {
    const sockets = new Set<Socket>();
    const server = createServer({ allowHalfOpen }, (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      serve(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    over.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return server;
  };
  const to = (server: Server, more: Partial<SyslogOptions> = {}): Destination =>
    createSyslog({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, secureContext: null, ...more });
  const large = Array.from({ length: 3000 }, () => anEvent({ json: 'x'.repeat(2000) }));

  it('where no receiver listens', async () => {
    const syslog = createSyslog({ host: '127.0.0.1', port: await freePort(), secureContext: null });
    await expect(syslog.deliver([anEvent()], never)).rejects.toThrow(/ECONNREFUSED/);
  });

  it('where the receiver closes immediately, without data', async () => {
    const syslog = to(await listening((socket) => socket.destroy()));
    // Its end or a reset arrives first, depending on whether the bytes arrive before it closed.
    await expect(syslog.deliver([anEvent()], never)).rejects.toThrow(/closed the connection|ECONNRESET|EPIPE/);
  });

  it('where the receiver closes its direction before it reads', async () => {
    const syslog = to(await listening((socket) => socket.end(() => socket.resume())));
    await expect(syslog.deliver(large, never)).rejects.toThrow(/closed the connection/);
  });

  it('where it is reset before it read', async () => {
    const syslog = to(await listening((socket) => socket.pause().once('readable', () => socket.resetAndDestroy())));
    await expect(syslog.deliver(large, never)).rejects.toThrow(/ECONNRESET|EPIPE/);
  });

  it('where it stops in the middle with bytes unread', async () => {
    const syslog = to(await listening((socket) => socket.once('data', () => socket.pause().destroy())));
    await expect(syslog.deliver(large, never)).rejects.toThrow(/ECONNRESET|EPIPE|closed the connection/);
  });

  it('where it takes nothing', async () => {
    const syslog = to(await listening((socket) => socket.pause()), { patience: 300 });
    await expect(syslog.deliver(large, never)).rejects.toThrow(/silent for 0.3 s/);
  });

  it('where it takes everything and never closes', async () => {
    const syslog = to(await listening((socket) => socket.resume()), { patience: 300 });
    // It may still be busy with what it took: the next batch is smaller.
    const silent = { message: 'the collector was silent for 0.3 s', fewer: true };
    await expect(syslog.deliver([anEvent()], never)).rejects.toMatchObject(silent);
  });

  it('where the gateway stops', async () => {
    const stopping = new AbortController();
    const syslog = to(await listening(() => setImmediate(() => stopping.abort())));
    await expect(syslog.deliver(large, stopping.signal)).rejects.toThrow(/abort/i);
  });

  it('but is, where the receiver reads slowly to the end', async () => {
    let bytes = 0;
    const server = await listening((socket) => {
      socket.on('data', (chunk) => {
        bytes += chunk.length;
        socket.pause();
        setImmediate(() => socket.resume());
      });
      socket.on('end', () => socket.end());
    });
    await to(server).deliver(large, never);
    expect(bytes).toBeGreaterThan(3000 * 2000);
  });
});
