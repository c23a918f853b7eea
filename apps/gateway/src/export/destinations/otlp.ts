import type { Upstreams } from '../../relay/upstream/upstreams.ts';
import { type Destination, NotTaken } from './destination.ts';
import { otlpBody } from './otlp-body.ts';

export interface OtlpOptions {
  /** Where logs are posted: `https://host:4318/v1/logs`. */
  readonly url: string;
  /** Sent with every request, for instance an authorization. */
  readonly headers: Readonly<Record<string, string>>;
  readonly upstreams: Upstreams;
  /** Milliseconds until the collector must have answered. Default 30,000. */
  readonly patience?: number;
}

const PATIENCE = 30_000;
/** Bytes of an answer that are read. */
const LONGEST_ANSWER = 64 * 1024;

/** What a sign-in, a proxy or the collector's own website answers, with 200 too. */
const PAGE = /^text\/html\b/i;

/** OTLP/HTTP logs: an answer of 200 is the receipt. Nothing is given up: what the collector refuses is sent again. */
export function createOtlp({ url, headers, upstreams, patience = PATIENCE }: OtlpOptions): Destination {
  const upstream = upstreams.of(url);
  if (upstream === null) throw new TypeError('not an address that can be posted to');

  return {
    async deliver(batch, signal) {
      const over = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
      const asked = upstream.dispatcher.request({
        path: upstream.target(''),
        method: 'POST',
        headers: { ...headers, ...flat(upstream.headers), 'content-type': 'application/json' },
        body: otlpBody(batch, Date.now()),
        signal: over,
      });
      const { statusCode, headers: answered, body } = await unlessOver(asked, over);
      const text = await textOf(body);
      if (statusCode >= 200 && statusCode < 300) {
        if (PAGE.test(String(answered['content-type']))) {
          throw new NotTaken('GATEWAY_LOG_EXPORT_URL leads to a page (text/html), and to no collector');
        }
        const rejected = rejectedOf(text);
        if (rejected > 0) throw new NotTaken(`the collector rejected ${rejected} of ${batch.length} events`);
        return;
      }
      const wait = Number(answered['retry-after']);
      throw new NotTaken(`the collector answered ${statusCode}`, {
        retryAfter: Number.isFinite(wait) && wait >= 0 ? wait * 1000 : null,
        tooLarge: statusCode === 413,
      });
    },
    close: () => upstreams.close(),
  };
}

/** A request looks at its signal once it is connected; a collector that never gets that far must hold nobody up. */
async function unlessOver<Value>(asked: Promise<Value>, over: AbortSignal): Promise<Value> {
  let end = (): void => {};
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(over.reason as Error);
    over.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([asked, ended]);
  } finally {
    over.removeEventListener('abort', end);
  }
}

function flat(headers: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (let at = 0; at + 1 < headers.length; at += 2) named[headers[at] ?? ''] = headers[at + 1] ?? '';
  return named;
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > LONGEST_ANSWER) break; // leaving the loop ends the connection
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** `partialSuccess.rejectedLogRecords`, a 64-bit number that JSON writes as a text. */
function rejectedOf(text: string): number {
  try {
    const answer = JSON.parse(text) as { partialSuccess?: { rejectedLogRecords?: string | number } } | null;
    return Number(answer?.partialSuccess?.rejectedLogRecords ?? 0) || 0;
  } catch {
    return 0; // some collectors answer 200 with nothing, or with a word
  }
}
