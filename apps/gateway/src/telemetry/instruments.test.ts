import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Counter, Histogram, Observed } from './instruments.ts';
import { metricsBody } from './open.ts';

const described = { name: 'n', unit: '1', description: 'd' };

describe('an instrument', () => {
  it('that counts keeps a sum for each set of attributes', () => {
    const counter = new Counter(described);
    counter.add(1, { a: 'x' });
    counter.add(2, { a: 'y' });
    counter.add(3, { a: 'x' });
    expect(counter.points()).toEqual([
      { attributes: { a: 'x' }, value: 4 },
      { attributes: { a: 'y' }, value: 2 },
    ]);
  });

  it('has a bounded number of series, and loses no value', () => {
    const counter = new Counter(described);
    for (let index = 0; index < 5000; index += 1) counter.add(1, { a: String(index) });
    const points = counter.points();
    expect(points.length).toBe(1001);
    expect(points.at(-1)).toEqual({ attributes: { 'otel.metric.overflow': 'true' }, value: 4000 });
  });

  it('that shows a spread puts each value into the bucket that ends at or above it', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true })), (values) => {
        const bounds = [0.5, 5, 50];
        const histogram = new Histogram(described, bounds);
        for (const value of values) histogram.record(value);
        const [point] = histogram.points();
        if (point === undefined) return values.length === 0;
        const below = (bound: number): number => values.filter((value) => value <= bound).length;
        const sums = point.buckets.map((_, index) =>
          point.buckets.slice(0, index + 1).reduce((all, one) => all + one, 0),
        );
        expect(sums).toEqual([...bounds.map(below), values.length]);
        expect(point.count).toBe(values.length);
        expect(point.sum).toBeCloseTo(values.reduce((all, one) => all + one, 0));
        return true;
      }),
    );
  });
});

it('a request contains every instrument in the form of OTLP', () => {
  const counter = new Counter({ name: 'c', unit: '{x}', description: 'counts' });
  counter.add(2, { a: 'b' });
  const histogram = new Histogram({ name: 'h', unit: 's', description: 'spreads' }, [1]);
  histogram.record(3);
  const gauge = new Observed({ name: 'g', unit: 'By', description: 'is' }, () => [{ attributes: {}, value: 7 }]);
  const total = new Observed(
    { name: 't', unit: 's', description: 'grows' },
    () => [{ attributes: {}, value: 8 }],
    'total',
  );
  const body = metricsBody([counter, histogram, gauge, total], { instance: 'i', startedAt: 1000, now: 2000.5004 });
  const times = { startTimeUnixNano: '1000000000', timeUnixNano: '2000500000' };
  expect(JSON.parse(body)).toMatchObject({
    resourceMetrics: [
      {
        scopeMetrics: [
          {
            metrics: [
              {
                name: 'c',
                unit: '{x}',
                description: 'counts',
                sum: {
                  aggregationTemporality: 2,
                  isMonotonic: true,
                  dataPoints: [{ ...times, asDouble: 2, attributes: [{ key: 'a', value: { stringValue: 'b' } }] }],
                },
              },
              {
                name: 'h',
                histogram: {
                  aggregationTemporality: 2,
                  dataPoints: [{ ...times, count: '1', sum: 3, bucketCounts: ['0', '1'], explicitBounds: [1] }],
                },
              },
              { name: 'g', gauge: { dataPoints: [{ ...times, asDouble: 7 }] } },
              { name: 't', sum: { isMonotonic: true, dataPoints: [{ asDouble: 8 }] } },
            ],
          },
        ],
      },
    ],
  });
});
