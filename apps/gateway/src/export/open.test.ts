import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { freePort } from '@gateway/database/embedded';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUpstreams } from '../upstream/upstreams.ts';
import { type CollectorOptions, createCollector, type Destination } from './collector.ts';
import { createOtlp } from './open.ts';
import { anEvent } from './testing/events.ts';
import { type OtlpReceiver, startOtlpReceiver } from './testing/otlp-receiver.ts';

const never = new AbortController().signal;
let receiver: OtlpReceiver;
let otlp: Destination;

function open(more: Partial<CollectorOptions> = {}): Destination {
  const tls = { addedAuthorities: [], client: null };
  const upstreams = createUpstreams({ httpsProxy: null, httpProxy: null, noProxy: null, tls, idleTimeout: 30_000 });
  return createOtlp(
    createCollector({ url: receiver.url, variable: 'GATEWAY_LOG_EXPORT_URL', headers: {}, upstreams, ...more }),
  );
}

beforeEach(async () => {
  receiver = await startOtlpReceiver();
  otlp = open();
});
afterEach(async () => {
  await otlp.close();
  await receiver.stop();
});

describe('an OTLP receiver', () => {
  it('understands every record, in order', async () => {
    const batch = Array.from({ length: 300 }, (_, index) => anEvent({ severity: 1 + (index % 4) }));
    await otlp.deliver(batch, never);
    expect(receiver.records.map(({ body }) => body.stringValue)).toEqual(batch.map(({ json }) => json));
    expect(receiver.records.slice(0, 4).map(({ severityText }) => severityText)).toEqual([
      'INFO',
      'INFO2',
      'WARN',
      'ERROR',
    ]);
    expect(receiver.records[0]).toMatchObject({
      timeUnixNano: `${batch[0]?.time}000000`,
      severityNumber: 9,
      attributes: [
        { key: 'gateway.log', value: { stringValue: 'decisions' } },
        { key: 'log.record.uid', value: { stringValue: batch[0]?.uid } },
      ],
    });
  });

  it('gets the headers that were configured, and the name of the sender', async () => {
    const named = open({ headers: { authorization: 'Bearer of the collector' } });
    await named.deliver([anEvent()], never);
    await named.close();
    expect(receiver.headers[0]).toMatchObject({ authorization: 'Bearer of the collector', 'user-agent': 'gateway' });
  });
});

describe('a delivery is not confirmed', () => {
  it.each([
    [
      { status: 503, headers: { 'retry-after': '7' } },
      { retryAfter: 7000, fewer: false },
    ],
    [{ status: 429 }, { retryAfter: null, fewer: false }],
    [{ status: 400 }, { retryAfter: null, fewer: true }],
    [{ status: 413 }, { retryAfter: null, fewer: true }],
    [{ status: 401, headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } }, { retryAfter: null }],
    [{ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { retryAfter: null }],
  ])('where the collector answers %o', async (reply, said) => {
    receiver.replies.push(reply);
    await expect(otlp.deliver([anEvent()], never)).rejects.toMatchObject({
      ...said,
      name: 'NotTaken',
      message: `the collector answered ${reply.status}`,
    });
    expect(receiver.records).toEqual([]);
  });

  it('where it rejects a part of the batch', async () => {
    receiver.replies.push({ status: 200, body: { partialSuccess: { rejectedLogRecords: '1', errorMessage: 'no' } } });
    await expect(otlp.deliver([anEvent(), anEvent()], never)).rejects.toMatchObject({
      message: 'the collector rejected 1 of 2 events',
      fewer: true,
      reply: '{"partialSuccess":{"rejectedLogRecords":"1","errorMessage":"no"}}',
    });
  });

  it('where it says at length which events it rejected', async () => {
    const errorMessage = 'entry too far behind. '.repeat(10_000);
    receiver.replies.push({ status: 200, body: { partialSuccess: { rejectedLogRecords: '2', errorMessage } } });
    await expect(otlp.deliver([anEvent(), anEvent()], never)).rejects.toThrow('the collector rejected 2 of 2 events');
  });

  it.each([
    ['as JSON', 'application/json', { code: 3, message: 'entry too\nold' }, '{"code":3,"message":"entry too\\nold"}'],
    ['as text', 'text/plain', 'ignored:\ttoo far behind\r\n', 'ignored: too far behind'],
    ['as a protobuf', 'application/x-protobuf', '\u0008\u0003\u0012\u0007too old', 'too old'],
    ['of our credentials', 'text/plain', 'no such token: of-the-collector!', 'no such token: …!'],
    ['at length', 'text/plain', 'x'.repeat(300), `${'x'.repeat(200)}…`],
    ['on a page', 'text/html', '<h1>Request Entity Too Large</h1>', ''],
  ])('and the log has the collector’s message, %s', async (_, type, body, reply) => {
    receiver.replies.push({ status: 400, headers: { 'content-type': type }, body });
    const named = open({ headers: { authorization: 'Bearer of-the-collector', tenant: 'to' } });
    await expect(named.deliver([anEvent()], never)).rejects.toMatchObject({ reply });
    await named.close();
  });

  it('where a web page answers instead of a collector', async () => {
    receiver.replies.push({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: 'Sign in' });
    await expect(otlp.deliver([anEvent()], never)).rejects.toThrow(/^GATEWAY_LOG_EXPORT_URL points to a web page/);
  });

  it('where it does not answer', async () => {
    receiver.replies.push(null);
    const impatient = open({ patience: 200 });
    await expect(impatient.deliver([anEvent()], never)).rejects.toThrow('the collector did not answer within 0.2 s');
    await impatient.close();
  });

  it('where no collector listens, and is sent once one does', async () => {
    const port = await freePort();
    const later = open({ url: `http://127.0.0.1:${port}/v1/logs` });
    await expect(later.deliver([anEvent()], never)).rejects.toThrow(/ECONNREFUSED/);
    const there = await startOtlpReceiver(port);
    await later.deliver([anEvent()], never);
    expect(there.records).toHaveLength(1);
    await later.close();
    await there.stop();
  });

  it('where the gateway stops', async () => {
    receiver.replies.push(null);
    const stopping = new AbortController();
    const delivery = otlp.deliver([anEvent()], stopping.signal);
    stopping.abort();
    await expect(delivery).rejects.toThrow(/abort/i);
  });
});

it('a collector that answers 200, with or without a text, has accepted the batch', async () => {
  for (const body of ['ok', null, [], { partialSuccess: {} }, { partialSuccess: { rejectedLogRecords: 0 } }]) {
    receiver.replies.push({ status: 200, body });
    await otlp.deliver([anEvent()], never);
  }
  expect(receiver.records).toHaveLength(5);
});

describe('a collector that takes the connection and never speaks', () => {
  it('is abandoned immediately when the export ends, without a delay', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const held = open({ url: `https://127.0.0.1:${port}/v1/logs` });
    const ending = new AbortController();
    const [[socket]] = (await Promise.all([
      once(silent, 'connection'),
      // The cause is the end of the export, not a connection timeout.
      expect(
        Promise.all([
          held.deliver([anEvent()], ending.signal),
          once(silent, 'connection').then(() => ending.abort(new Error('the export ends'))),
        ]),
      ).rejects.toThrow('the export ends'),
    ])) as [[Socket], unknown];
    await held.close();
    socket.destroy();
    silent.close();
  });
});
