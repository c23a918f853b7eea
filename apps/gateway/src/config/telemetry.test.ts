import { Reading } from '@gateway/configuration';
import { describe, expect, it } from 'vitest';
import { readTelemetry } from './configuration.ts';
import { readLogExport } from './log-export.ts';

function read(environment: Record<string, string>) {
  const reading = new Reading(environment);
  const { metrics, traces } = readTelemetry(reading, readLogExport(reading));
  return { metrics, traces, faults: reading.faults };
}

describe('GATEWAY_METRICS_URL', () => {
  it.each([
    ['https://otel.example', 'https://otel.example:443/v1/metrics'],
    ['https://otel.example:4318/otlp/v1/metrics', 'https://otel.example:4318/otlp/v1/metrics'],
    ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/metrics'],
  ])('%s posts to %s', (value, address) => {
    expect(read({ GATEWAY_METRICS_URL: value })).toMatchObject({ metrics: { address }, faults: [] });
  });

  it('is absent by default', () => {
    expect(read({})).toEqual({ metrics: null, traces: null, faults: [] });
  });

  it('takes collector, headers and certificates of the log export by one word', () => {
    const found = read({
      GATEWAY_METRICS_URL: 'log-export',
      GATEWAY_LOG_EXPORT_URL: 'https://otel.example:4318',
      GATEWAY_LOG_EXPORT_HEADERS: 'authorization=Bearer%20a,x=1',
      GATEWAY_METRICS_HEADERS: 'x=2',
    });
    expect(found.faults).toEqual([]);
    expect(found.metrics).toMatchObject({
      address: 'https://otel.example:4318/v1/metrics',
      headers: { authorization: 'Bearer a', x: '2' },
    });
  });

  it.each([
    ['syslog+tls://otel.example:6514', /is not the address of a collector/],
    ['http://otel.example', /must begin with https:/],
    ['https://user:secret@otel.example', /Credentials of a collector belong in GATEWAY_METRICS_HEADERS\.$/],
    ['log-export', /GATEWAY_LOG_EXPORT_URL names no collector of OTLP/],
  ])('may not be %s', (value, sentence) => {
    const { metrics, faults } = read({ GATEWAY_METRICS_URL: value });
    expect(metrics).toBeNull();
    expect(faults).toEqual([expect.stringMatching(sentence)]);
    expect(faults[0]).toMatch(/^GATEWAY_METRICS_URL: /);
    expect(faults[0]).not.toContain('secret');
  });
});

it('GATEWAY_TRACES_URL names a collector of its own', () => {
  const found = read({ GATEWAY_TRACES_URL: 'https://tempo.example', GATEWAY_TRACES_HEADERS: 'x-scope=a' });
  expect(found).toMatchObject({
    metrics: null,
    traces: {
      address: 'https://tempo.example:443/v1/traces',
      headers: { 'x-scope': 'a' },
      variable: 'GATEWAY_TRACES_URL',
    },
    faults: [],
  });
});
