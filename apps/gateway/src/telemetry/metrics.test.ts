import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCollector } from '../export/collector.ts';
import { startWorld, type World } from '../testing/world.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { Counter } from './instruments.ts';
import { publishMetrics } from './open.ts';
import { startCollector, type TestCollector } from './testing/collector.ts';

interface DataPoint {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
  readonly asDouble?: number;
  readonly count?: string;
  readonly sum?: number;
}
interface Metric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly DataPoint[] };
  readonly gauge?: { readonly dataPoints: readonly DataPoint[] };
  readonly histogram?: { readonly dataPoints: readonly DataPoint[] };
}

/** Of another system: it is forwarded unchanged. */
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

let collector: TestCollector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.stop());

/** The last request, by the name of each metric: the attributes and the value or count of each point. */
function last(): Record<string, readonly (readonly [Record<string, string>, number])[]> {
  const { resourceMetrics } = JSON.parse(collector.got.at(-1)?.text ?? '') as {
    resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[];
  };
  const metrics = resourceMetrics[0]?.scopeMetrics[0]?.metrics ?? [];
  return Object.fromEntries(
    metrics.map(({ name, sum, gauge, histogram }) => [
      name,
      (sum ?? gauge ?? histogram)?.dataPoints.map((point) => [
        Object.fromEntries(point.attributes.map(({ key, value }) => [key, value.stringValue])),
        point.asDouble ?? Number(point.count),
      ]) ?? [],
    ]),
  );
}

const call = (world: World, key: string, endpoint = 'chat') =>
  fetch(`http://127.0.0.1:${world.port}/${endpoint}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', traceparent: TRACE },
    body: '{"model":"any","messages":[]}',
  }).then(async (answer) => {
    await answer.text();
    return answer.status;
  });

/** What is answered to bytes on the wire. */
async function spoken(world: World, text: string): Promise<string> {
  const socket = connect(world.port, '127.0.0.1');
  socket.end(text);
  return (await socket.setEncoding('utf8').toArray()).join('');
}

it('a gateway measures its calls, its refusals, its tokens and itself, and names no person', async () => {
  const environment = {
    GATEWAY_METRICS_URL: collector.url,
    GATEWAY_METRICS_HEADERS: 'authorization=Bearer%20collector-key',
  };
  const world = await startWorld({ environment });
  try {
    expect(await call(world, world.key)).toBe(200);
    expect(await call(world, world.key)).toBe(200);
    expect(await call(world, `gwk_${'12'.repeat(24)}`)).toBe(401);
    expect(await call(world, world.key, 'stranger-wrote-this')).toBe(404);
    expect(await spoken(world, 'GET /chat HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect(await spoken(world, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1.1 501 /);
    expect(world.engine.received.map(({ headers }) => headers['traceparent'])).toEqual([TRACE, TRACE]);
  } finally {
    await world.stop();
  }
  expect(collector.got.length).toBe(1);
  expect(collector.got[0]).toMatchObject({ path: '/v1/metrics', headers: { authorization: 'Bearer collector-key' } });
  expect(collector.got[0]?.text).not.toMatch(/caller|stranger-wrote-this|collector-key|gwk_/);
  const found = last();
  expect(
    found['gateway.decisions']?.map(([{ 'gateway.outcome': outcome, 'http.response.status_code': code }, count]) => [
      outcome,
      code,
      count,
    ]),
  ).toEqual([
    ['granted', '200', 2],
    ['refused', '401', 1],
  ]);
  expect(
    found['gateway.refusals']?.map(([{ 'gateway.reason': reason, ...more }, count]) => [reason, more, count]),
  ).toEqual([
    ['key-unknown', { 'http.response.status_code': '401' }, 1],
    ['endpoint-unknown', { 'http.response.status_code': '404' }, 1],
    ['malformed-request', { 'http.response.status_code': '400' }, 1],
    ['method-not-served', { 'http.response.status_code': '501' }, 1],
  ]);
  expect(found['gateway.database.batch.size']?.map(([{ 'db.operation.name': name }]) => name)?.sort()).toEqual([
    'decision',
    'facts',
    'usage',
  ]);
  const of = { 'gateway.endpoint': 'chat', 'gen_ai.request.model': 'served-model' };
  expect(found['gen_ai.client.token.usage']).toEqual([
    [{ ...of, 'gen_ai.token.type': 'input' }, 2],
    [{ ...of, 'gen_ai.token.type': 'output' }, 2],
  ]);
  expect(found['gen_ai.server.request.duration']).toEqual([[{ ...of, 'gateway.interrupted': 'false' }, 2]]);
  expect(found['gateway.added.duration']).toEqual([[{}, 2]]);
  expect(found['gateway.upstream.duration']).toEqual([[{ 'gateway.endpoint': 'chat', 'gateway.provider': 'chat' }, 2]]);
  expect(found['gateway.upstream.answers']).toEqual([
    [
      {
        'gateway.endpoint': 'chat',
        'gateway.provider': 'chat',
        'http.response.status_code': '200',
        'error.type': 'none',
      },
      2,
    ],
  ]);
  expect(found['db.client.operation.duration']?.map(([{ 'db.operation.name': name }, count]) => [name, count])).toEqual(
    [
      ['facts', 4],
      ['decision', 2],
    ],
  );
  for (const name of [
    'gateway.queue.records',
    'gateway.answers.open',
    'gateway.bodies.memory',
    'nodejs.eventloop.delay.p99',
    'process.memory.usage',
    'process.cpu.time',
  ])
    expect(found[name]?.length).toBeGreaterThan(0);
});

describe('a collector', () => {
  function publish(period: number) {
    const said: string[] = [];
    const counter = new Counter({ name: 'c', unit: '1', description: 'd' });
    const tls = { addedAuthorities: [], client: null };
    const upstreams = createUpstreams({ httpsProxy: null, httpProxy: null, noProxy: null, tls, idleTimeout: 1000 });
    const publisher = publishMetrics({
      collector: createCollector({
        url: `${collector.url}/v1/metrics`,
        variable: 'GATEWAY_METRICS_URL',
        headers: {},
        upstreams,
      }),
      instruments: [counter],
      report: (line) => said.push(line),
      period,
    });
    return { said, counter, publisher };
  }

  it('that refuses is reported once for each cause, and once when it accepts metrics again, with all sums', async () => {
    const { said, counter, publisher } = publish(5);
    collector.status = 404;
    counter.add(1);
    await expect.poll(() => collector.got.length).toBeGreaterThan(3);
    collector.status = 500;
    await expect.poll(() => said.length).toBe(2);
    counter.add(1);
    collector.status = 200;
    await expect.poll(() => said.length).toBe(3);
    await publisher.stop();
    expect(said).toEqual([
      'Metrics: the collector answered 404. They are sent again every 0.005 s.',
      'Metrics: the collector answered 500. They are sent again every 0.005 s.',
      'Metrics: the collector takes them again.',
    ]);
    expect(last()).toEqual({ c: [[{}, 2]] });
  });

  it('that is unavailable does not delay the shutdown', async () => {
    const { said, publisher } = publish(60_000);
    collector.stop();
    await publisher.stop();
    expect(said).toEqual([expect.stringMatching(/^Metrics: .*ECONNREFUSED/)]);
  });
});
