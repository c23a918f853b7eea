import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

/*
 * opentelemetry/proto/collector/logs/v1/logs_service.proto and its imports, in the JSON mapping of OTLP 1.x: lower camel case,
 * 64-bit numbers as texts, enumerations as numbers. Strict, so that a misspelt member fails instead of being ignored.
 */
const uint64 = z.string().refine((text) => /^\d+$/.test(text) && BigInt(text) < 2n ** 64n);
const anyValue = z.strictObject({ stringValue: z.string() });
const keyValue = z.strictObject({ key: z.string().min(1), value: anyValue });
const logRecord = z.strictObject({
  timeUnixNano: uint64,
  observedTimeUnixNano: uint64,
  severityNumber: z.int().min(1).max(24),
  severityText: z.string(),
  body: anyValue,
  attributes: z.array(keyValue),
});
const request = z.strictObject({
  resourceLogs: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(keyValue) }),
      scopeLogs: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          logRecords: z.array(logRecord),
        }),
      ),
    }),
  ),
});

export type LogRecord = z.infer<typeof logRecord>;

/** How the receiver answers next: status, and what else. */
export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** A receiver of OTLP/HTTP logs that understands the whole message or answers 400. */
export interface OtlpReceiver {
  readonly url: string;
  /** Everything that was accepted. */
  readonly records: LogRecord[];
  /** Headers of every request, accepted or not. */
  readonly headers: Record<string, unknown>[];
  /** Given to the next requests, one each; then 200. Null: no answer at all. */
  readonly replies: (Reply | null)[];
  stop(): Promise<void>;
}

export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const records: LogRecord[] = [];
  const headers: Record<string, unknown>[] = [];
  const replies: (Reply | null)[] = [];
  const server = createServer((incoming, answer) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      headers.push(incoming.headers);
      const reply = replies.shift();
      if (reply === null) return;
      const status = reply?.status ?? 200;
      const proper = incoming.method === 'POST' && incoming.url === '/v1/logs';
      const typed = incoming.headers['content-type'] === 'application/json';
      const parsed = request.safeParse(JSON.parse(Buffer.concat(chunks).toString()));
      if (!proper || !typed || !parsed.success) {
        answer.writeHead(400).end(String(parsed.error));
        return;
      }
      if (status === 200)
        for (const { scopeLogs } of parsed.data.resourceLogs)
          for (const { logRecords } of scopeLogs) records.push(...logRecords);
      const sent = { 'content-type': 'application/json', ...reply?.headers };
      const said = reply?.body ?? {};
      const plain = typeof said === 'string' && sent['content-type'] !== 'application/json';
      answer.writeHead(status, sent).end(plain ? said : JSON.stringify(said));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`,
    records,
    headers,
    replies,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
