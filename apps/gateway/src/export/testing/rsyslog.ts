import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as soon } from 'node:timers/promises';
import { freePort } from '@gateway/database/embedded';
import { eventually } from '../../testing/eventually.ts';

/** One message as rsyslog understood it. */
export interface Received {
  readonly priority: number;
  readonly timestamp: string;
  readonly host: string;
  readonly app: string;
  readonly process: string;
  readonly msgid: string;
  readonly message: string;
}

/** A syslog receiver: rsyslog itself, on a port that stays the same over its restarts. */
export interface Rsyslog {
  readonly port: number;
  /** Everything received so far, also before a restart. */
  received(): Received[];
  /** Resolves as soon as there is anything new in what was received. */
  begins(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Whether there is an rsyslog to test against. */
export const RSYSLOG_INSTALLED = spawnSync('rsyslogd', ['-v']).status === 0;

/** PEM texts of the receiver's own certificate. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const FIELDS = '%pri%|%timestamp:::date-rfc3339%|%hostname%|%app-name%|%procid%|%msgid%|%msg%\\n';

/**
 * Messages go from the connection to the file without a queue between, so that what rsyslog has read when it is killed is
 * there afterwards: the tests are about the connection.
 */
function configurationOf(folder: string, port: number, certificate: Certificate | null): string {
  const driver =
    certificate === null ? '' : 'StreamDriver.Name="ossl" StreamDriver.Mode="1" StreamDriver.AuthMode="anon"';
  const files =
    certificate === null
      ? ''
      : `DefaultNetstreamDriverCAFile="${folder}/cert.pem" DefaultNetstreamDriverCertFile="${folder}/cert.pem" DefaultNetstreamDriverKeyFile="${folder}/key.pem"`;
  return `
global(workDirectory="${folder}" maxMessageSize="64k" ${files})
main_queue(queue.type="Direct")
module(load="imtcp" ${driver})
template(name="fields" type="string" string="${FIELDS}")
input(type="imtcp" address="127.0.0.1" port="${port}")
action(type="omfile" file="${folder}/received" template="fields")
`;
}

async function reachable(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

export async function startRsyslog(certificate: Certificate | null = null): Promise<Rsyslog> {
  const folder = mkdtempSync(join(tmpdir(), 'rsyslog-'));
  if (certificate !== null) {
    writeFileSync(join(folder, 'cert.pem'), certificate.cert);
    writeFileSync(join(folder, 'key.pem'), certificate.key);
  }
  const file = join(folder, 'received');
  // Below what the system gives away by itself, so that nobody else gets it while rsyslog is down.
  const port = await freePort();
  let running: ChildProcess | null = null;

  async function start(): Promise<void> {
    writeFileSync(join(folder, 'rsyslog.conf'), configurationOf(folder, port, certificate));
    const words = ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid')];
    const child = spawn('rsyslogd', words, { stdio: ['ignore', 'ignore', 'pipe'] });
    running = child;
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`rsyslogd ended: ${said}`);
      await reachable(port);
    });
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = running;
    if (child === null) return;
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    running = null;
    rmSync(join(folder, 'pid'), { force: true });
  }

  await start();
  return {
    port,
    start,
    stop,
    async begins() {
      const size = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      const before = size();
      while (size() === before) await soon();
    },
    received() {
      if (!existsSync(file)) return [];
      // The last line may be half written.
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => {
        const [priority, timestamp = '', host = '', app = '', process = '', msgid = '', ...message] = line.split('|');
        return { priority: Number(priority), timestamp, host, app, process, msgid, message: message.join('|') };
      });
    },
    async remove() {
      await stop('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
