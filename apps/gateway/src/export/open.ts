import type { DatabaseAddress } from '@gateway/database';
import { createLogReader } from '@gateway/database/gateway';
import type { LogExportConfiguration } from '../config/log-export.ts';
import type { Report } from '../process/report.ts';
import { secureContextOf } from '../upstream/tunnel.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { createCollector, type Destination } from './destinations/collector.ts';
import { createOtlp } from './destinations/otlp.ts';
import { createOutgoing } from './destinations/outgoing.ts';
import { createSyslog } from './destinations/syslog.ts';
import { type Exporter, startExporter } from './exporter.ts';

/** The settings of the export, in a form that can be sent to another thread. */
export interface ExportParts {
  readonly configuration: LogExportConfiguration;
  readonly database: DatabaseAddress;
  /** Milliseconds the database may take of one answer. */
  readonly budgetMs: number;
  /** Settings of the connections to providers that apply to the collector, too. */
  readonly upstream: {
    readonly httpsProxy: string | null;
    readonly noProxy: string | null;
    readonly addedAuthorities: readonly string[];
  };
}

/** Milliseconds of silence allowed once the collector's answer has begun. */
const IDLE = 30_000;

/** Starts the export of the logs (log-16). */
export function openExporter(parts: ExportParts, report: Report): Exporter {
  const { configuration, database, budgetMs } = parts;
  const { address, eventBytes } = configuration;
  return startExporter({
    reader: createLogReader({ address: database, destination: address, budgetMs, longestValue: eventBytes }),
    destination: destinationOf(parts),
    outgoing: createOutgoing(eventBytes),
    report,
  });
}

function destinationOf({ configuration, upstream }: ExportParts): Destination {
  const { protocol, secure, host, port, address, headers } = configuration;
  const addedAuthorities = [...upstream.addedAuthorities, ...configuration.tls.addedAuthorities];
  const tls = { addedAuthorities, client: configuration.tls.client };
  if (protocol === 'syslog') return createSyslog({ host, port, secureContext: secure ? secureContextOf(tls) : null });
  const httpsProxy = upstream.httpsProxy === null ? null : new URL(upstream.httpsProxy);
  // Clear text stays on this machine and uses no proxy.
  const upstreams = createUpstreams({ httpsProxy, httpProxy: null, noProxy: upstream.noProxy, tls, idleTimeout: IDLE });
  return createOtlp(createCollector({ url: address, variable: 'GATEWAY_LOG_EXPORT_URL', headers, upstreams }));
}
