import { type Reading, type Variable, wholeNumber } from '@gateway/configuration';
import { readAuthorities } from './authorities.ts';
import { readPair } from './certificate-pair.ts';
import { readCollectorAddress, readCollectorHeaders } from './collector.ts';
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
