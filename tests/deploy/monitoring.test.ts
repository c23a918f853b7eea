import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCollector, type TestCollector } from '../../apps/gateway/src/telemetry/testing/collector.ts';
import { eventually } from '../../apps/gateway/src/testing/eventually.ts';
import { startWorld } from '../../apps/gateway/src/testing/world.ts';
import { ROOT } from './chart.ts';

/** What the gateway sends, read with OpenTelemetry's own definitions; and the dashboard's queries, answered by Prometheus from it. */
const TRACE = '0af7651916cd43dd8448eb211c80319c';
/** A type of protobufjs, whose module has no types. */
interface MessageType {
  fromObject(value: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): object;
}
const { opentelemetry } = createRequire(import.meta.url)(
  '@opentelemetry/otlp-transformer/build/src/generated/root.js',
) as {
  readonly opentelemetry: {
    readonly proto: {
      readonly collector: {
        readonly metrics: { readonly v1: { readonly ExportMetricsServiceRequest: MessageType } };
        readonly trace: { readonly v1: { readonly ExportTraceServiceRequest: MessageType } };
      };
    };
  };
};
const services = opentelemetry.proto.collector;
const requests = {
  '/v1/metrics': services.metrics.v1.ExportMetricsServiceRequest,
  '/v1/traces': services.trace.v1.ExportTraceServiceRequest,
};

let collector: TestCollector;
let engine: Server;

beforeAll(async () => {
  collector = await startCollector();
  const usage = { prompt_tokens: 9, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4 } };
  engine = createServer((request, response) => {
    request.resume().once('end', () => response.end(JSON.stringify({ usage })));
  }).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  const environment = { GATEWAY_METRICS_URL: collector.url, GATEWAY_TRACES_URL: collector.url };
  const world = await startWorld({ environment });
  const { declare } = world;
  const baseUrl = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const prices = { input: 0.01, output: 0.02 };
  const paid = await declare.model(await declare.provider('paid', { baseUrl }), 'large', prices);
  await declare.endpoint('paid', paid);
  // Three failed connections: from then on, the provider is skipped for its standby.
  const absent = await declare.provider('absent', { baseUrl: 'http://127.0.0.1:1' });
  await declare.endpoint('replaced', await declare.model(absent, 'absent'), true, paid);
  const call = async (key: string, endpoint = 'paid'): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${world.port}/${endpoint}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, traceparent: `00-${TRACE}-b7ad6b7169203331-01` },
      body: '{"model":"any","messages":[]}',
    });
    await answer.text();
    return answer.status;
  };
  expect([await call(world.key), await call('gwk_unknown')]).toEqual([200, 401]);
  for (let nth = 0; nth < 3; nth += 1) expect(await call(world.key, 'replaced')).toBe(200);
  await world.stop();
});
afterAll(() => {
  collector?.stop();
  engine?.close();
});

const sentTo = (path: string): string[] => collector.got.filter((one) => one.path === path).map(({ text }) => text);

describe.each(Object.entries(requests))('the metrics sent to %s', (path, Request) => {
  it('is a request of OTLP: nothing is unknown, and nothing changes in its binary form', () => {
    expect(sentTo(path).length).toBeGreaterThan(0);
    for (const text of sentTo(path)) {
      // The binary form has no empty lists.
      const body = JSON.parse(text, (_, value) => (Array.isArray(value) && value.length === 0 ? undefined : value));
      const read = Request.decode(Request.encode(Request.fromObject(body)).finish());
      expect(Request.toObject(read, { longs: String, bytes: String })).toEqual(body);
    }
  });
});

describe('the dashboard and the alerts in Prometheus', () => {
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>;
  beforeAll(async () => {
    prometheus = await startPrometheus(JSON.parse(sentTo('/v1/metrics').at(-1) ?? '') as MetricsBody);
  });
  afterAll(() => prometheus?.stop());

  const { panels } = JSON.parse(readFileSync(`${ROOT}/deploy/monitoring/dashboard.json`, 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const));

  it.each(queries)('«%s» shows values: %s', async (_, expression) => {
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(', '));
    const wanted = grouped.filter((name) => name !== 'le' && name !== 'instance');
    await eventually(async () => {
      const found = await prometheus.query(expression.replaceAll('$__rate_interval', '1m'));
      expect(found.length).toBeGreaterThan(0);
      for (const labels of found) expect(Object.keys(labels)).toEqual(expect.arrayContaining(wanted));
    }, 200);
  });

  it('takes every rule, and has the series that each asks for', async () => {
    await eventually(async () => {
      const rules = await prometheus.rules();
      expect(rules.map(({ health }) => health)).toEqual(rules.map(() => 'ok'));
      expect(rules).toHaveLength(6);
      for (const { query } of rules) {
        for (const [, name = '', matchers = ''] of query.matchAll(/\b([a-z]\w+_\w+)(\{[^}]*\})?\[?/g)) {
          if (!/_(?:total|bucket|records|seconds)$/.test(name)) continue;
          const labels = [...matchers.matchAll(/(\w+)(?:!?=)"/g)].map(([, label = '']) => label);
          const series = await prometheus.query(name);
          expect(series.length, name).toBeGreaterThan(0);
          expect(Object.keys(series[0] ?? {})).toEqual(expect.arrayContaining(labels));
        }
      }
    }, 200);
  });
});

interface Point {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
  readonly asDouble?: number;
  readonly count?: string;
  readonly sum?: number;
  readonly bucketCounts?: readonly string[];
  readonly explicitBounds?: readonly number[];
}
interface MetricsBody {
  readonly resourceMetrics: readonly [
    {
      readonly scopeMetrics: readonly [
        {
          readonly metrics: readonly {
            readonly name: string;
            readonly unit: string;
            readonly sum?: { readonly dataPoints: readonly Point[] };
            readonly gauge?: { readonly dataPoints: readonly Point[] };
            readonly histogram?: { readonly dataPoints: readonly Point[] };
          }[];
        },
      ];
    },
  ];
}

/** The metrics as a collector exposes them (OpenTelemetry, Prometheus compatibility), with all values `factor` times as high. */
function exposition(
  {
    resourceMetrics: [
      {
        scopeMetrics: [{ metrics }],
      },
    ],
  }: MetricsBody,
  factor: number,
): string {
  const lines: string[] = [];
  const line = (name: string, { attributes }: Point, value: number, le?: string): void => {
    const labels = attributes.map(({ key, value: { stringValue } }) => [key.replaceAll('.', '_'), stringValue]);
    if (le !== undefined) labels.push(['le', le]);
    lines.push(`${name}{${labels.map(([key, text]) => `${key}=${JSON.stringify(text)}`).join(',')}} ${value * factor}`);
  };
  for (const { name, unit, sum, gauge, histogram } of metrics) {
    const suffix = { s: '_seconds', By: '_bytes' }[unit] ?? '';
    const base = name.replaceAll('.', '_') + suffix;
    for (const point of sum?.dataPoints ?? []) line(`${base}_total`, point, point.asDouble ?? Number.NaN);
    for (const point of gauge?.dataPoints ?? []) line(base, point, point.asDouble ?? Number.NaN);
    for (const point of histogram?.dataPoints ?? []) {
      let below = 0;
      for (const [index, count] of (point.bucketCounts ?? []).entries()) {
        below += Number(count);
        line(`${base}_bucket`, point, below, String(point.explicitBounds?.[index] ?? '+Inf'));
      }
      line(`${base}_sum`, point, point.sum ?? Number.NaN);
      line(`${base}_count`, point, Number(point.count));
    }
  }
  return `${lines.join('\n')}\n`;
}

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Debian's Prometheus, which fetches the metrics each second, higher each time. */
async function startPrometheus(body: MetricsBody) {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  let fetched = 0;
  const target = createServer((_, response) => {
    fetched += 1;
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(exposition(body, fetched));
  }).listen(0, '127.0.0.1');
  await once(target, 'listening');
  const port = await freePort();
  const targets = `127.0.0.1:${(target.address() as AddressInfo).port}`;
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(ROOT, 'deploy/monitoring/alerts.yaml')],
    scrape_configs: [{ job_name: 'gateway', static_configs: [{ targets: [targets] }] }],
  };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const words = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
  const child: ChildProcess = spawn('prometheus', [...words, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  const get = async (path: string): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    const { status, data, error } = (await answer.json()) as { status: string; data: unknown; error?: string };
    if (status !== 'success') throw new Error(error);
    return data;
  };
  return {
    /** The labels of each series that a query finds. */
    async query(expression: string): Promise<readonly Record<string, string>[]> {
      const { result } = (await get(`query?query=${encodeURIComponent(expression)}`)) as {
        result: { metric: Record<string, string> }[];
      };
      return result.map(({ metric }) => metric);
    },
    async rules(): Promise<readonly { readonly query: string; readonly health: string }[]> {
      const { groups } = (await get('rules')) as { groups: { rules: { query: string; health: string }[] }[] };
      return groups.flatMap(({ rules }) => rules);
    },
    async stop(): Promise<void> {
      child.kill();
      await ended;
      target.close();
      target.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
