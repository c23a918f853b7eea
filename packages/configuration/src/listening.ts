import { execFile } from 'node:child_process';
import { isIP, isIPv6, type Socket } from 'node:net';
import { codeOf, type Environment, printable, type Reading, type Variable, wholeNumber } from './reading.ts';

export interface ListeningReader {
  /** Everything it reads, for the reference. */
  readonly variables: readonly Variable[];
  /** Where the service listens; a null host is every address. */
  read(reading: Reading): { readonly port: number; readonly host: string | null };
}

/** @param fallback the default port */
export function listeningReader(service: 'gateway' | 'console', fallback: number): ListeningReader {
  const port = wholeNumber({
    name: 'PORT',
    least: 0,
    most: 65_535,
    fallback,
    effect: `The port the ${service} listens on; 0 takes any free one.`,
  });
  const host: Variable = {
    name: 'HOST',
    form: 'an IP address of this machine',
    fallback: 'every address',
    effect: `The address the ${service} listens on.`,
  };
  return {
    variables: [port, host],
    read(reading) {
      const number = reading.wholeNumber(port);
      const address = reading.text(host);
      if (address !== null && isIP(address) === 0)
        reading.fault(host, `must be ${host.form}, not ${printable(address)}.`);
      return { port: number, host: address };
    },
  };
}

/** The address is not of this machine, or of an unsupported family: another port fixes nothing. */
const NOT_OURS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);
const EVERYWHERE = new Set(['0.0.0.0', '::']);

/**
 * The line that explains why a service cannot listen on the configured address.
 * @param host null for every address of this machine
 */
export function listeningFault(error: unknown, host: string | null, port: number): string {
  const code = codeOf(error);
  const variable = NOT_OURS.has(code) ? 'HOST' : 'PORT';
  const address = host === null ? `port ${port}` : `port ${port} of ${host}`;
  const why = code === 'EADDRINUSE' ? ': another program listens there' : '';
  return `${variable}: ${address} cannot be opened (${code})${why}.`;
}

/** The address of a service that listens, as a person can open it. */
export function addressOf(scheme: string, host: string | null, port: number): string {
  const name = host === null || EVERYWHERE.has(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host;
  return `${scheme}://${name}:${port}`;
}

/**
 * Reads a new connection's peer address, which the socket then caches: after a reset by the peer there is none, though its
 * requests are still read. A connection that is gone already has no reader for an answer.
 */
export function rememberPeer(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy();
}

/** How long `systemd-notify` may take. systemd itself waits for 90 seconds by default. */
const NOTIFY_MILLISECONDS = 10_000;

/**
 * Tells systemd that the program serves, where its unit has `Type=notify`. Node.js cannot send to a Unix datagram socket, so
 * systemd's own program does it, which is why the unit needs `NotifyAccess=all`.
 * @returns the line for the operator if it failed, else null
 */
export function notifyReady(environment: Environment): Promise<string | null> {
  const { NOTIFY_SOCKET, PATH } = environment;
  if (NOTIFY_SOCKET === undefined || NOTIFY_SOCKET === '') return Promise.resolve(null);
  return new Promise((resolve) => {
    // It gets no other variable: the environment contains the address of the database and the providers' keys.
    const options = { env: { NOTIFY_SOCKET, PATH }, timeout: NOTIFY_MILLISECONDS };
    execFile('systemd-notify', ['--ready'], options, (error) => {
      if (error === null) return resolve(null);
      const why = typeof error.code === 'string' ? error.code : `exit code ${error.code}`;
      resolve(`NOTIFY_SOCKET: systemd was not told that the program is ready: systemd-notify failed (${why}).`);
    });
  });
}
