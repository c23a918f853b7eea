import type { DatabaseAddress } from '@gateway/database';
import { createLogReader } from '@gateway/database/gateway';
import type { LogExportConfiguration } from '../configuration/log-export.ts';
import type { UpstreamConfiguration } from '../configuration/upstream.ts';
import type { Report } from '../relay/ports.ts';
import { secureContextOf } from '../relay/upstream/tls.ts';
import { createUpstreams } from '../relay/upstream/upstreams.ts';
import type { Destination } from './destinations/destination.ts';
import { createOtlp } from './destinations/otlp.ts';
import { createSyslog } from './destinations/syslog.ts';
import { type Exporter, startExporter } from './exporter.ts';
import { createOutgoing } from './outgoing.ts';

export interface LogExportParts {
  readonly configuration: LogExportConfiguration;
  readonly upstream: UpstreamConfiguration;
  readonly database: DatabaseAddress;
  /** Milliseconds the database may take of one answer. */
  readonly budgetMs: number;
  readonly report: Report;
}

/** Starts the log export beside the service (decisions §15). */
export function openLogExport({ configuration, upstream, database, budgetMs, report }: LogExportParts): Exporter {
  const { address, eventBytes, secure, host } = configuration;
  if (!secure) report(`GATEWAY_LOG_EXPORT_URL: the logs travel to ${host} in clear text.`);
  return startExporter({
    reader: createLogReader({ address: database, destination: address, budgetMs, longestValue: eventBytes }),
    destination: destinationOf(configuration, upstream),
    outgoing: createOutgoing(eventBytes),
    report,
  });
}

function destinationOf(configuration: LogExportConfiguration, upstream: UpstreamConfiguration): Destination {
  const { protocol, secure, host, port, address, headers } = configuration;
  const addedAuthorities = [...upstream.tls.addedAuthorities, ...configuration.tls.addedAuthorities];
  const tls = { addedAuthorities, client: configuration.tls.client };
  if (protocol === 'syslog') return createSyslog({ host, port, secureContext: secure ? secureContextOf(tls) : null });
  // Connections of its own: a collector that hangs takes none from the relay. Clear text stays on this machine, past any proxy.
  const upstreams = createUpstreams({ ...upstream, tls, httpProxy: null });
  return createOtlp({ url: address, headers, upstreams });
}
