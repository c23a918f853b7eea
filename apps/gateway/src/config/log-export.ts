import { type Reading, type Variable, wholeNumber } from '@gateway/configuration';
import { readAuthorities, readPair } from './certificate-pair.ts';
import type { UpstreamTls } from './upstream.ts';

const url: Variable = {
  name: 'GATEWAY_LOG_EXPORT_URL',
  form: 'syslog+tls://host:port, syslog+tcp://host:port, or https://host:port/path (OTLP/HTTP; the default path is /v1/logs; http:// for a collector on this machine)',
  fallback: 'nothing is exported',
  effect: 'The log collector that gets decisions, administration actions, detections and acts, as they are recorded.',
};
const headers: Variable = {
  name: 'GATEWAY_LOG_EXPORT_HEADERS',
  form: 'name=value pairs separated by commas, values percent-encoded, for example authorization=Bearer%20abc',
  fallback: 'no further headers',
  effect: 'Headers of every OTLP/HTTP request, if the collector needs credentials. A secret: never shown.',
};
const authorityFile: Variable = {
  name: 'GATEWAY_LOG_EXPORT_TLS_CA_FILE',
  form: 'the path of a PEM file with one or more certificates',
  fallback: 'the authorities of the system, of Node.js and of UPSTREAM_TLS_CA_FILE',
  effect: 'Adds certificate authorities for the connection to the collector. It removes none.',
};
const clientCertificateFile: Variable = {
  name: 'GATEWAY_LOG_EXPORT_TLS_CLIENT_CERT_FILE',
  form: 'the path of a PEM file',
  fallback: 'no client certificate',
  effect: 'Client certificate presented to the collector. Set together with GATEWAY_LOG_EXPORT_TLS_CLIENT_KEY_FILE.',
};
const clientKeyFile: Variable = {
  name: 'GATEWAY_LOG_EXPORT_TLS_CLIENT_KEY_FILE',
  form: 'the path of a PEM file',
  fallback: 'no client certificate',
  effect: 'Private key of GATEWAY_LOG_EXPORT_TLS_CLIENT_CERT_FILE.',
};
const eventBytes = wholeNumber({
  name: 'GATEWAY_LOG_EXPORT_EVENT_BYTES',
  of: 'bytes',
  least: 4096,
  most: 1_048_576,
  fallback: 7168,
  effect:
    'Maximum length of an event. A longer event is shortened and says so; many syslog receivers cut messages above 8 KiB.',
});

export const LOG_EXPORT_VARIABLES: readonly Variable[] = [
  url,
  headers,
  authorityFile,
  clientCertificateFile,
  clientKeyFile,
  eventBytes,
];

/** Where the logs go. */
export interface LogExportConfiguration {
  readonly protocol: 'syslog' | 'otlp';
  readonly secure: boolean;
  /** Of a syslog receiver. */
  readonly host: string;
  readonly port: number;
  /** The key of stored positions, and the target of OTLP: scheme, host, port and path. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: UpstreamTls;
  readonly eventBytes: number;
}

/** Null where nothing is exported, or after a fault. */
export function readLogExport(reading: Reading): LogExportConfiguration | null {
  const addedAuthorities = readAuthorities(reading, authorityFile);
  const client = readPair(reading, clientCertificateFile, clientKeyFile);
  const named = readCollectorHeaders(reading, headers);
  const most = reading.wholeNumber(eventBytes);
  const collector = readCollectorAddress(reading, { url, headers, path: '/v1/logs', syslog: true });
  if (collector === null) return null;
  if (collector.protocol === 'syslog' && Object.keys(named).length > 0)
    reading.fault(headers, 'has no meaning for syslog. Remove it, or set GATEWAY_LOG_EXPORT_URL to https://.');
  return { ...collector, headers: named, tls: { addedAuthorities, client }, eventBytes: most };
}

/** Ports of syslog over TLS (RFC 5425) and over TCP (RFC 6587). */
const PORTS: Readonly<Record<string, number>> = { 'syslog+tls:': 6514, 'syslog+tcp:': 601, 'https:': 443, 'http:': 80 };
const OWN_MACHINE = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Where a collector listens. */
interface CollectorAddress {
  readonly protocol: 'syslog' | 'otlp';
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** Scheme, host, port and path. */
  readonly address: string;
}

/** The variables of a collector, and what it may be. */
interface CollectorVariables {
  readonly url: Variable;
  readonly headers: Variable;
  /** Where OTLP posts, where the address has no path. */
  readonly path: string;
  readonly syslog: boolean;
}

/** Null where the variable is absent, or after a fault. */
export function readCollectorAddress(
  reading: Reading,
  { url, headers, path, syslog }: CollectorVariables,
): CollectorAddress | null {
  const text = reading.text(url);
  if (text === null) return null;
  const fault = (sentence: string): null => {
    reading.fault(url, sentence); // the value may contain a password, so the message does not repeat it
    return null;
  };
  const parsed = URL.parse(text);
  const port = parsed === null || (!syslog && !parsed.protocol.startsWith('http')) ? undefined : PORTS[parsed.protocol];
  if (parsed === null || port === undefined || parsed.hostname === '')
    return fault(`is not the address of a collector. Write it as ${url.form}.`);
  if (parsed.username !== '' || parsed.password !== '')
    return fault(`must not hold a user or a password. Credentials of a collector belong in ${headers.name}.`);
  if (parsed.search !== '' || parsed.hash !== '') return fault('must have neither a query nor a fragment.');
  const protocol = parsed.protocol.startsWith('http') ? 'otlp' : 'syslog';
  const bare = parsed.pathname === '' || parsed.pathname === '/';
  if (protocol === 'syslog' && !bare) return fault('must have no path: a syslog receiver has none.');
  if (parsed.protocol === 'http:' && !OWN_MACHINE.test(parsed.hostname))
    return fault('must begin with https:// for a collector on another machine.');
  const chosen = parsed.port === '' ? port : Number(parsed.port);
  if (chosen === 0) return fault('must name a port a collector can listen on.');
  const posted = protocol === 'syslog' ? '' : bare ? path : parsed.pathname;
  return {
    protocol,
    secure: parsed.protocol === 'syslog+tls:' || parsed.protocol === 'https:',
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: chosen,
    address: `${parsed.protocol}//${parsed.hostname}:${chosen}${posted}`,
  };
}

/** Parsed like OTEL_EXPORTER_OTLP_HEADERS; names in lower case, so that none duplicates one of ours. */
export function readCollectorHeaders(reading: Reading, headers: Variable): Record<string, string> {
  const text = reading.text(headers);
  const named: Record<string, string> = {};
  for (const pair of text?.split(',') ?? []) {
    const [name = '', ...rest] = pair.split('=');
    const value = decode(rest.join('=').trim());
    if (/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name.trim()) && value !== null && rest.length > 0)
      named[name.trim().toLowerCase()] = value;
    else {
      reading.fault(headers, `is not readable. Write ${headers.form}.`);
      return {};
    }
  }
  return named;
}

/** Null where the text is no header value. */
function decode(text: string): string | null {
  try {
    const value = decodeURIComponent(text);
    return /^[\t\x20-\x7e]*$/.test(value) ? value : null;
  } catch {
    return null;
  }
}
