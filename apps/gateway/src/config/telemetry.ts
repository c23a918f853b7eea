import type { Reading, Variable } from '@gateway/configuration';
import { type LogExportConfiguration, readCollectorAddress, readCollectorHeaders } from './log-export.ts';
import type { UpstreamTls } from './upstream.ts';

/** The value that names the collector of the log export. */
const SAME = 'log-export';

/** Data for a separate collector, besides the logs. */
interface Signal {
  readonly url: Variable;
  readonly headers: Variable;
  /** Where it is posted. */
  readonly path: string;
}

function signal(prefix: string, what: string, path: string, effect: string): Signal {
  return {
    path,
    url: {
      name: `${prefix}_URL`,
      form: `https://host:port/path (OTLP/HTTP; the default path is ${path}; http:// for a collector on this machine), or ${SAME} for the OTLP collector of GATEWAY_LOG_EXPORT_URL`,
      fallback: `no ${what} are sent`,
      effect: `${effect} Certificate authorities and client certificate of the log export apply to it too.`,
    },
    headers: {
      name: `${prefix}_HEADERS`,
      form: 'name=value pairs separated by commas, values percent-encoded, for example authorization=Bearer%20abc',
      fallback: `no further headers; with ${SAME}, those of GATEWAY_LOG_EXPORT_HEADERS`,
      effect: `Headers of every request with ${what}, if the collector needs credentials. A secret: never shown.`,
    },
  };
}

const METRICS = signal(
  'GATEWAY_METRICS',
  'metrics',
  '/v1/metrics',
  'The collector that gets metrics every 15 seconds.',
);
const TRACES = signal(
  'GATEWAY_TRACES',
  'spans',
  '/v1/traces',
  'The collector that gets the spans of calls with a sampled traceparent header.',
);

export const TELEMETRY_VARIABLES: readonly Variable[] = [METRICS, TRACES].flatMap(({ url, headers }) => [url, headers]);

/** The target of a signal. */
export interface CollectorConfiguration {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: UpstreamTls;
  /** The variable that names the collector. */
  readonly variable: string;
}

/** Null where nothing of a kind is sent. */
export interface TelemetryConfiguration {
  readonly metrics: CollectorConfiguration | null;
  readonly traces: CollectorConfiguration | null;
}

/** A null after a fault means nothing. */
export function readTelemetry(reading: Reading, logExport: LogExportConfiguration | null): TelemetryConfiguration {
  return { metrics: read(reading, METRICS, logExport), traces: read(reading, TRACES, logExport) };
}

function read(
  reading: Reading,
  { url, headers, path }: Signal,
  logExport: LogExportConfiguration | null,
): CollectorConfiguration | null {
  const named = readCollectorHeaders(reading, headers);
  const tls = logExport?.tls ?? { addedAuthorities: [], client: null };
  if (reading.text(url) !== SAME) {
    const collector = readCollectorAddress(reading, { url, headers, path, syslog: false });
    return collector && { address: collector.address, headers: named, tls, variable: url.name };
  }
  if (logExport?.protocol !== 'otlp') {
    reading.fault(url, `is ${SAME}, and GATEWAY_LOG_EXPORT_URL names no collector of OTLP (https://).`);
    return null;
  }
  const address = new URL(path, logExport.address).href;
  return { address, headers: { ...logExport.headers, ...named }, tls, variable: url.name };
}
