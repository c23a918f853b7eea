import { isIP, isIPv6, type Socket } from 'node:net';
import { codeOf, printable, type Reading } from './reading.ts';
import { type Variable, wholeNumber } from './variable.ts';

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
