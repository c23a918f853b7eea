import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTracer, type Span } from './tracer.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TO = { endpoint: 'chat', provider: 'engine', model: 'served-model', decisionId: 'decision' };

let spans: Span[];
const tracer = createTracer((span) => spans.push(span));
beforeEach(() => {
  spans = [];
});

function traceOf(traceparent: string | undefined, method = 'POST') {
  const request = new IncomingMessage(new Socket());
  request.method = method;
  request.url = '/chat/v1/models?key=a-secret';
  if (traceparent !== undefined) request.headers['traceparent'] = traceparent;
  return tracer(request);
}

/** A call whose caller requested a trace. */
function begin(method?: string) {
  const trace = traceOf(`00-${TRACE}-${PARENT}-01`, method);
  if (trace === null) throw new Error('no trace has begun');
  return trace;
}

describe('the trace of a call', () => {
  it.each([
    ['none is requested', undefined],
    ['it is not sampled', `00-${TRACE}-${PARENT}-00`],
    ['it has no trace', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['it has no parent', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['it is no header of this kind', 'on'],
    ['it is of a version that cannot be', `ff-${TRACE}-${PARENT}-01`],
  ])('does not begin where %s', (_when, header) => {
    expect(traceOf(header)).toBeNull();
  });

  it('has a span in the gateway, and one at the provider within it', () => {
    const trace = begin();
    const header = trace.left(TO);
    trace.answered(200);
    trace.ended(200, true);
    const [upstream, own] = spans;
    expect(header).toBe(`00-${TRACE}-${upstream?.spanId}-01`);
    expect(upstream).toMatchObject({
      traceId: TRACE,
      parentId: own?.spanId,
      kind: 'client',
      name: 'call served-model',
    });
    expect(own).toMatchObject({ traceId: TRACE, parentId: PARENT, kind: 'server', name: 'POST /chat' });
    expect(own?.spanId).toMatch(/^[0-9a-f]{16}$/);
    for (const { startedAt, endedAt } of spans) expect(startedAt).toBeLessThanOrEqual(endedAt);
    expect(own?.startedAt).toBeLessThanOrEqual(upstream?.startedAt ?? 0);
  });

  it('of a refused call has no span at a provider, and names no endpoint that its caller may guess', () => {
    begin('GET').ended(403, true);
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({ name: 'GET', kind: 'server', failed: false });
    expect(spans[0]?.attributes).toEqual({ 'http.request.method': 'GET', 'http.response.status_code': '403' });
  });

  it.each<[what: string, answered: number | null, status: number, whole: boolean, failed: [boolean, boolean]]>([
    ['was answered', 200, 200, true, [false, false]],
    ['the provider refused', 404, 404, true, [true, false]],
    ['the provider could not serve', 503, 503, true, [true, true]],
    ['reached no provider', null, 502, true, [true, true]],
    ['its caller left', 200, 200, false, [false, true]],
    ['whose answer was refused here', 200, 502, true, [false, true]],
  ])('says who failed in a call that %s', (_what, answered, status, whole, failed) => {
    const trace = begin();
    trace.left(TO);
    if (answered !== null) trace.answered(answered);
    trace.ended(status, whole);
    expect(spans.map((span) => span.failed)).toEqual(failed);
    expect(spans.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([
      answered === null ? 'none' : String(answered),
      String(status),
    ]);
  });

  it('contains nothing of the caller’s request but its method', () => {
    const trace = begin();
    trace.left(TO);
    trace.ended(200, true);
    expect(JSON.stringify(spans)).not.toMatch(/a-secret|models/);
    expect(spans[1]?.attributes).toMatchObject({ 'gateway.decision.id': 'decision', 'gateway.endpoint': 'chat' });
    expect(spans[0]?.attributes).toMatchObject({
      'gateway.provider': 'engine',
      'gen_ai.request.model': 'served-model',
    });
  });

  it('has spans of its own in each of a thousand calls', () => {
    for (let times = 0; times < 1000; times += 1) {
      const trace = begin();
      trace.left(TO);
      trace.ended(200, true);
    }
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(2000);
  });
});
