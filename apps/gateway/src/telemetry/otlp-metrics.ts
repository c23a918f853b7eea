import { BRAND } from '@gateway/contract';
import type { Instrument } from './instruments.ts';
import { attributesOf, nanoseconds, resourceOf } from './otlp.ts';

/** Sums since the start of this process, as OTLP numbers it. */
const CUMULATIVE = 2;

/**
 * All instruments as an ExportMetricsServiceRequest in its JSON form (OTLP 1.x).
 * @param instance names this process among several.
 * @param startedAt and @param now milliseconds since 1970.
 */
export function metricsBody(
  instruments: readonly Instrument[],
  { instance, startedAt, now }: { readonly instance: string; readonly startedAt: number; readonly now: number },
): string {
  const times = { startTimeUnixNano: nanoseconds(startedAt), timeUnixNano: nanoseconds(now) };
  const metrics = instruments.map((instrument) => ({ ...instrument.description, ...dataOf(instrument, times) }));
  return JSON.stringify({
    resourceMetrics: [{ resource: resourceOf(instance), scopeMetrics: [{ scope: { name: BRAND }, metrics }] }],
  });
}

function dataOf(instrument: Instrument, times: { readonly startTimeUnixNano: string; readonly timeUnixNano: string }) {
  if (instrument.kind === 'histogram') {
    const dataPoints = instrument.points().map(({ attributes, count, sum, buckets }) => ({
      attributes: attributesOf(attributes),
      ...times,
      count: String(count),
      sum,
      bucketCounts: buckets.map(String),
      explicitBounds: instrument.bounds,
    }));
    return { histogram: { aggregationTemporality: CUMULATIVE, dataPoints } };
  }
  const dataPoints = instrument
    .points()
    .map(({ attributes, value }) => ({ attributes: attributesOf(attributes), ...times, asDouble: value }));
  if (instrument.kind === 'gauge') return { gauge: { dataPoints } };
  return { sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } };
}
