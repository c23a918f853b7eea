import { execFile } from 'node:child_process';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
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

/** How the address of an enterprise proxy is written. */
export const PROXY_FORM =
  'the address of an HTTP proxy, http:// or https://, with user and password where it asks for them';

/** The proxy in a variable, also in its lower-case spelling; null for none, or after a fault. */
export function readProxy(reading: Reading, variable: Variable): URL | null {
  const text = reading.textInEitherCase(variable);
  if (text === null) return null;
  // The value may contain a password, so the message does not repeat it.
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    url.hostname === '' ||
    url.port === '0' ||
    url.pathname !== '/' ||
    url.search !== '' ||
    url.hash !== ''
  ) {
    reading.fault(variable, 'is not the address of a proxy. Write it as http://host:port, without a path.');
    return null;
  }
  if (!isDecodable(url.username) || !isDecodable(url.password)) {
    reading.fault(variable, 'has a user or a password with a broken percent-encoding. Write % as %25.');
    return null;
  }
  return url;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The recorded address of a request. X-Forwarded-For counts only where the peer is a declared proxy, and then up to the first
 * address, from the right, that is no declared proxy itself; with an empty list, it is ignored.
 */
export function sourceAddressOf(
  peer: string | undefined,
  forwardedFor: string | null,
  trusted: BlockList | null,
): string | null {
  let address = plain(peer ?? '');
  if (address === '') return null;
  if (trusted === null || forwardedFor === null) return address;
  const hops = forwardedFor.split(',').map((hop) => plain(withoutPort(hop.trim())));
  while (liesIn(trusted, address)) {
    const before = hops.pop();
    if (before === undefined || isIP(before) === 0) return address;
    address = before;
  }
  return address;
}

/** Azure's proxies write the port, too: `192.0.2.7:51234`, `[2001:db8::7]:443`. */
const IPV4_WITH_PORT = /^([\d.]+):\d{1,5}$/;
const IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/;

function withoutPort(hop: string): string {
  return (IPV4_WITH_PORT.exec(hop) ?? IN_BRACKETS.exec(hop))?.[1] ?? hop;
}

/** An IPv4 peer of a dual-stack socket is written as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/** Adds an address, or a network with its prefix, to a list. @returns false where the text is neither */
export function addNetwork(list: BlockList, text: string): boolean {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const most = isIP(address) === 6 ? 128 : 32;
  const bits = prefix === undefined ? most : Number(prefix);
  if (isIP(address) === 0 || bits > most) return false;
  list.addSubnet(address, bits, familyOf(address));
  return true;
}

/** Whether an address is in a network of a list; anything else is in none. */
export function liesIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

export const TRUSTED_PROXIES: Variable = {
  name: 'GATEWAY_TRUSTED_PROXIES',
  form: 'addresses or networks separated by commas, for example 10.0.0.4,192.168.0.0/16',
  fallback: 'none: X-Forwarded-For has no effect',
  effect:
    'Peers whose X-Forwarded-For header is trusted. It gives the source address of a request for the logs, for policies and for the throttle of the console.',
};

/** The proxies whose X-Forwarded-For is trusted; null without any. */
export function readTrustedProxies(reading: Reading): BlockList | null {
  const text = reading.text(TRUSTED_PROXIES);
  if (text === null) return null;
  const list = new BlockList();
  for (const entry of text.split(',').map((one) => one.trim())) {
    if (!addNetwork(list, entry))
      reading.fault(
        TRUSTED_PROXIES,
        `${printable(entry)} is neither an address nor a network. Write ${TRUSTED_PROXIES.form}.`,
      );
  }
  return list;
}
