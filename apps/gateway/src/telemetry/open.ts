import type { Configuration } from '../config/configuration.ts';
import type { CollectorConfiguration } from '../config/telemetry.ts';
import { type Collector, createCollector } from '../export/destinations/collector.ts';
import type { Report } from '../process/report.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import type { CostMeter } from './cost.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import type { Levels } from './levels.ts';
import { publishMetrics } from './metrics-publisher.ts';
import { startSpanExporter } from './span-exporter.ts';
import { createTracer, type Tracer } from './tracer.ts';

/** Milliseconds a collector may take to answer. */
const PATIENCE = 10_000;

/** What listens to the relay; null where nothing is sent of a kind. */
export interface Telemetry {
  readonly metrics: GatewayMetrics | null;
  readonly tracer: Tracer | null;
  /** Sends what is left. */
  close(): Promise<void>;
}

export function openTelemetry(
  configuration: Configuration,
  report: Report,
  levels: Levels,
  cost: CostMeter | null,
): Telemetry {
  const { metrics: toMetrics, traces: toTraces } = configuration.telemetry;
  const metrics = toMetrics && new GatewayMetrics(levels, cost);
  const publisher =
    metrics &&
    toMetrics &&
    publishMetrics({
      collector: collectorOf(configuration, toMetrics),
      instruments: metrics.instruments,
      report,
      settle: () => metrics.settle(),
    });
  const spans = toTraces && startSpanExporter({ collector: collectorOf(configuration, toTraces), report });
  return {
    metrics,
    tracer: spans && createTracer((span) => spans.add(span)),
    async close() {
      await Promise.all([publisher?.stop(), spans?.stop()]);
      metrics?.close();
    },
  };
}

/** They take the ways that the log export takes. */
function collectorOf(
  { upstream }: Configuration,
  { address, headers, tls, variable }: CollectorConfiguration,
): Collector {
  const { httpsProxy, noProxy } = upstream;
  const addedAuthorities = [...upstream.tls.addedAuthorities, ...tls.addedAuthorities];
  const own = { addedAuthorities, client: tls.client };
  const upstreams = createUpstreams({ httpsProxy, httpProxy: null, noProxy, tls: own, idleTimeout: PATIENCE });
  return createCollector({ url: address, variable, headers, upstreams, patience: PATIENCE });
}
