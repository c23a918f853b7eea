import { afterEach, beforeEach, expect, it } from 'vitest';
import { createCollector } from '../export/collector.ts';
import { startWorld, type World } from '../testing/world.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import { startSpanExporter } from './open.ts';
import { startCollector, type TestCollector } from './testing/collector.ts';
import type { Span } from './tracer.ts';
import { readSampledContext } from './tracer.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

let collector: TestCollector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.stop());

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
  readonly status: { readonly code?: number };
}

const sent = (): SentSpan[] =>
  collector.got.flatMap(({ text }) => {
    const { resourceSpans } = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });
const attributes = (span: SentSpan | undefined) =>
  Object.fromEntries(span?.attributes.map(({ key, value }) => [key, value.stringValue]) ?? []);

async function call(world: World, headers: Record<string, string>, endpoint = 'chat'): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${world.port}/${endpoint}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json', ...headers },
    body: '{"model":"any","messages":[]}',
  });
  await answer.text();
  return answer.status;
}

it('a call whose caller samples it has two spans, and the provider gets the second as its parent', async () => {
  const world = await startWorld({ environment: { GATEWAY_TRACES_URL: collector.url } });
  try {
    expect(await call(world, { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1' })).toBe(200);
    expect(await call(world, { traceparent: `00-${TRACE}-${PARENT}-00` })).toBe(200);
    expect(await call(world, {})).toBe(200);
  } finally {
    await world.stop();
  }
  const [client, server, ...more] = sent();
  expect(more).toEqual([]);
  expect(collector.got[0]?.path).toBe('/v1/traces');
  expect(server).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2, name: 'POST /chat', status: {} });
  expect(client).toMatchObject({
    traceId: TRACE,
    parentSpanId: server?.spanId,
    kind: 3,
    name: 'call served-model',
    status: {},
  });
  expect(attributes(client)).toEqual({
    'http.request.method': 'POST',
    'gateway.endpoint': 'chat',
    'gateway.provider': 'chat',
    'gen_ai.request.model': 'served-model',
    'http.response.status_code': '200',
  });
  const [entry] = world.engine.received.map(({ headers }) => headers);
  expect(readSampledContext(entry?.['traceparent'])).toEqual({
    traceId: TRACE,
    parentId: client?.spanId,
    flags: '01',
  });
  expect(entry?.['tracestate']).toBe('vendor=1');
  expect(world.engine.received.map(({ headers }) => headers['traceparent']).slice(1)).toEqual([
    `00-${TRACE}-${PARENT}-00`,
    undefined,
  ]);
  expect(BigInt(server?.startTimeUnixNano ?? 0)).toBeLessThanOrEqual(BigInt(client?.startTimeUnixNano ?? 0));
  expect(BigInt(client?.endTimeUnixNano ?? 0)).toBe(BigInt(server?.endTimeUnixNano ?? 0));
});

it('a refused call has one span, which names neither the caller nor the requested path', async () => {
  const world = await startWorld({ environment: { GATEWAY_TRACES_URL: collector.url } });
  try {
    expect(await call(world, { traceparent: `00-${TRACE}-${PARENT}-01` }, 'stranger-wrote-this')).toBe(404);
  } finally {
    await world.stop();
  }
  expect(sent()).toEqual([expect.objectContaining({ kind: 2, name: 'POST', status: {} })]);
  expect(collector.got[0]?.text).not.toMatch(/caller|stranger/);
});

it('a provider that fails is a failed span', async () => {
  const world = await startWorld({ environment: { GATEWAY_TRACES_URL: collector.url } });
  world.engine.on('/chat/completions', (_, response) => response.writeHead(500).end('no'));
  try {
    expect(await call(world, { traceparent: `00-${TRACE}-${PARENT}-01` })).toBe(500);
  } finally {
    await world.stop();
  }
  expect(sent().map(({ kind, status }) => [kind, status.code])).toEqual([
    [3, 2],
    [2, 2],
  ]);
});

it('an unavailable collector costs bounded memory, is logged once, and receives later spans', async () => {
  const said: string[] = [];
  const tls = { addedAuthorities: [], client: null };
  const upstreams = createUpstreams({ httpsProxy: null, httpProxy: null, noProxy: null, tls, idleTimeout: 1000 });
  const exporter = startSpanExporter({
    collector: createCollector({
      url: `${collector.url}/v1/traces`,
      variable: 'GATEWAY_TRACES_URL',
      headers: {},
      upstreams,
    }),
    report: (line) => said.push(line),
    period: 1,
  });
  const span = (name: string): Span => ({
    traceId: TRACE,
    spanId: PARENT,
    parentId: PARENT,
    name,
    kind: 'server',
    startedAt: 1,
    endedAt: 2,
    attributes: {},
    failed: false,
  });
  collector.status = 503;
  for (let index = 0; index < 10_000; index += 1) exporter.add(span('lost'));
  await expect.poll(() => collector.got.length).toBe(8); // 4096 in parts of 512
  collector.status = 200;
  exporter.add(span('later'));
  await expect.poll(() => said.length).toBe(2);
  await exporter.stop();
  expect(said).toEqual([
    'Traces: the collector answered 503. Spans are lost until it takes them.',
    'Traces: the collector takes them again.',
  ]);
  expect(sent().at(-1)?.name).toBe('later');
});
