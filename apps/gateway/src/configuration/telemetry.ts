import type { Reading, Variable } from '@gateway/configuration';
import { readCollectorAddress, readCollectorHeaders } from './collector.ts';
import type { LogExportConfiguration } from './log-export.ts';
import type { UpstreamTls } from './upstream.ts';

/** The value that names the collector of the log export. */
const SAME = 'log-export';

const url: Variable = {
  name: 'GATEWAY_METRICS_URL',
  form: `https://host:port/path (OTLP/HTTP; the path is /v1/metrics where none is given; http:// for a collector on this machine), or ${SAME} for the OTLP collector of GATEWAY_LOG_EXPORT_URL`,
  fallback: 'no metrics are sent',
  effect:
    'The collector that gets metrics every 15 seconds. Certificate authorities and client certificate of the log export hold for it too.',
};
const headers: Variable = {
  name: 'GATEWAY_METRICS_HEADERS',
  form: 'name=value pairs separated by commas, values percent-encoded, for example authorization=Bearer%20abc',
  fallback: `no further headers; with ${SAME}, those of GATEWAY_LOG_EXPORT_HEADERS`,
  effect: 'Headers of every request with metrics, where the collector asks for credentials. A secret: never shown.',
};

export const METRICS_VARIABLES: readonly Variable[] = [url, headers];

/** Where metrics go. */
export interface MetricsConfiguration {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: UpstreamTls;
  /** The variable that names the collector. */
  readonly variable: string;
}

/** Null where no metrics are sent, or beside a fault. */
export function readMetrics(reading: Reading, logExport: LogExportConfiguration | null): MetricsConfiguration | null {
  const named = readCollectorHeaders(reading, headers);
  const tls = logExport?.tls ?? { addedAuthorities: [], client: null };
  if (reading.text(url) !== SAME) {
    const place = readCollectorAddress(reading, { url, headers, path: '/v1/metrics', syslog: false });
    return place && { address: place.address, headers: named, tls, variable: url.name };
  }
  if (logExport?.protocol !== 'otlp') {
    reading.fault(url, `is ${SAME}, and GATEWAY_LOG_EXPORT_URL names no collector of OTLP (https://).`);
    return null;
  }
  const address = new URL('/v1/metrics', logExport.address).href;
  return { address, headers: { ...logExport.headers, ...named }, tls, variable: url.name };
}
