import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onFreePort } from '@gateway/database/embedded';
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

/** A syslog receiver: rsyslog itself, on a port that stays the same after a restart. */
export interface Rsyslog {
  readonly port: number;
  /** Everything received so far, also before a restart, without the partial message at a kill. */
  received(): Received[];
  /** Resolves as soon as so many messages were received. */
  has(count: number): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Whether there is an rsyslog to test against. */
export const RSYSLOG_INSTALLED = spawnSync('rsyslogd', ['-v']).status === 0;

/** Folders that may contain one of rsyslog's modules. */
export const MODULES = [
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
];

/** Whether it can speak TLS: the driver is a package of its own, which servers often lack. */
export const RSYSLOG_TLS = RSYSLOG_INSTALLED && hasModule('lmnsd_ossl', MODULES);

/** @param libraries folders that may contain a folder of rsyslog's modules */
export function hasModule(name: string, libraries: readonly string[]): boolean {
  const given = process.env['RSYSLOG_MODDIR'];
  const folders = [...(given === undefined ? [] : [given]), ...libraries.map((library) => join(library, 'rsyslog'))];
  return folders.some((folder) => existsSync(join(folder, `${name}.so`)));
}

/** What waits for rsyslog gives up after this time without any progress, on a loaded machine too. */
const PATIENCE_MS = 60_000;

/** PEM texts of the receiver's own certificate. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const FIELDS = '%pri%|%timestamp:::date-rfc3339%|%hostname%|%app-name%|%procid%|%msgid%|%msg%\\n';

/**
 * Messages go from the connection to the file without a queue, so that everything rsyslog has read survives its kill: the tests
 * are about the connection.
 */
function configurationOf(folder: string, port: number, certificate: Certificate | null, file: string): string {
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
action(type="omfile" file="${file}" template="fields")
`;
}

async function reachable(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

/**
 * Starts it on a free port, and on another one if that is taken in between.
 * @param modules the folder of its modules, where it is not rsyslog's own
 */
export function startRsyslog(certificate: Certificate | null = null, modules: string | null = null): Promise<Rsyslog> {
  // Below the system's ephemeral ports, so that no other process gets it while rsyslog is down.
  return onFreePort((port) => startOn(port, certificate, modules));
}

async function startOn(port: number, certificate: Certificate | null, modules: string | null): Promise<Rsyslog> {
  const folder = mkdtempSync(join(tmpdir(), 'rsyslog-'));
  if (certificate !== null) {
    writeFileSync(join(folder, 'cert.pem'), certificate.cert);
    writeFileSync(join(folder, 'key.pem'), certificate.key);
  }
  // One for each start: what it had half written when it was killed must not run into the first line of the next.
  const files: string[] = [];
  let running: ChildProcess | null = null;
  let said = '';

  async function start(): Promise<void> {
    files.push(join(folder, `received-${files.length + 1}`));
    writeFileSync(join(folder, 'rsyslog.conf'), configurationOf(folder, port, certificate, files.at(-1) ?? ''));
    const own = modules === null ? [] : ['-M', modules];
    const words = ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid'), ...own];
    const child = spawn('rsyslogd', words, { stdio: ['ignore', 'ignore', 'pipe'] });
    running = child;
    said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    // Without its port or a module, rsyslog continues.
    const failed = () => child.exitCode !== null || /could not create (?:tcp )?listener/i.test(said);
    const late = Date.now() + PATIENCE_MS;
    await eventually(async () => {
      if (!failed() && Date.now() < late) await reachable(port);
    });
    if (failed() || Date.now() >= late) throw new Error(`rsyslogd does not listen: ${said}`);
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = running;
    if (child === null) return;
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    running = null;
    rmSync(join(folder, 'pid'), { force: true });
  }

  /** Whole lines of every file: each is ended by a newline, or it was still being written. */
  const lines = (): string[] =>
    files.filter((file) => existsSync(file)).flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1));

  async function remove(): Promise<void> {
    await stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }

  await start().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    port,
    start,
    stop,
    async has(count) {
      for (let [got, since] = [0, Date.now()]; got < count; await pause(1)) {
        const now = lines().length;
        if (now > got) [got, since] = [now, Date.now()];
        else if (Date.now() - since > PATIENCE_MS) throw new Error(`rsyslogd got ${got} of ${count} messages: ${said}`);
      }
    },
    received: () =>
      lines().map((line) => {
        const [priority, timestamp = '', host = '', app = '', process = '', msgid = '', ...message] = line.split('|');
        return { priority: Number(priority), timestamp, host, app, process, msgid, message: message.join('|') };
      }),
    remove,
  };
}
