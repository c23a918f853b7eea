import { BRAND } from '@gateway/contract';
import type { Upstreams } from '../upstream/upstreams.ts';
import type { CollectorEvent } from './outgoing.ts';

export interface CollectorOptions {
  /** Where is posted to: `https://host:4318/v1/logs`. */
  readonly url: string;
  /** The variable that names the address, for the operator. */
  readonly variable: string;
  /** Sent with every request, for instance an authorization. */
  readonly headers: Readonly<Record<string, string>>;
  readonly upstreams: Upstreams;
  /** Milliseconds until the collector must have answered. Default 30,000. */
  readonly patience?: number;
}

/** A collector that accepts OTLP over HTTP in its JSON form. */
export interface Collector {
  /**
   * @returns the text of a successful answer, and the quotable part of it.
   * @throws NotTaken for any other answer, or the network's error.
   */
  post(body: string, signal: AbortSignal): Promise<{ readonly text: string; readonly reply: string }>;
  close(): Promise<void>;
}

const PATIENCE = 30_000;
/** Bytes of an answer that are read. */
const LONGEST_ANSWER = 64 * 1024;

/** Statuses for a batch's content or size: a smaller one may pass. */
const FOR_THE_BATCH: readonly number[] = [400, 413];

/** What a sign-in, a proxy or the collector's own website answers, with 200 too. */
const PAGE = /^text\/html\b/i;

/** @throws TypeError where the address cannot be posted to. */
export function createCollector({
  url,
  variable,
  headers,
  upstreams,
  patience = PATIENCE,
}: CollectorOptions): Collector {
  const upstream = upstreams.of(url);
  if (upstream === null) throw new TypeError('not an address that can be posted to');

  return {
    async post(body, signal) {
      const late = AbortSignal.timeout(patience);
      const over = AbortSignal.any([signal, late]);
      const asked = upstream.dispatcher.request({
        path: upstream.target(''),
        method: 'POST',
        headers: { 'user-agent': BRAND, ...headers, ...flat(upstream.headers), 'content-type': 'application/json' },
        body,
        signal: over,
      });
      const answer = unlessOver(asked, over).then(async (given) => ({ ...given, text: await bodyText(given.body) }));
      const {
        statusCode,
        headers: answered,
        text,
      } = await answer.catch((error: unknown): never => {
        if (!late.aborted || signal.aborted) throw error;
        throw new NotTaken(`the collector did not answer within ${patience / 1000} s`, {
          fewer: true,
          isReported: true,
        });
      });
      const page = PAGE.test(String(answered['content-type']));
      const reply = page ? '' : replyOf(text, Object.values(headers));
      if (statusCode >= 200 && statusCode < 300) {
        if (page) throw new NotTaken(`${variable} points to a web page (text/html), not to a collector`);
        return { text, reply };
      }
      const wait = Number(answered['retry-after']);
      throw new NotTaken(`the collector answered ${statusCode}`, {
        retryAfter: Number.isFinite(wait) && wait >= 0 ? wait * 1000 : null,
        fewer: FOR_THE_BATCH.includes(statusCode),
        reply,
      });
    },
    close: () => upstreams.close(),
  };
}

/** A request checks its signal only once it is connected; a collector that does not connect must not block the shutdown. */
export async function unlessOver<Value>(asked: Promise<Value>, over: AbortSignal): Promise<Value> {
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

export function flat(headers: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  for (let at = 0; at + 1 < headers.length; at += 2) named[headers[at] ?? ''] = headers[at + 1] ?? '';
  return named;
}

export async function bodyText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    chunks.push(chunk);
    if (length > LONGEST_ANSWER) break; // leaving the loop ends the connection
  }
  return Buffer.concat(chunks).toString();
}

/** Characters of an answer that are reported to the operator. */
const LONGEST_WORDS = 200;
/** A value of a header from so many characters on may be a credential, which no answer may repeat to a log. */
const SHORTEST_CREDENTIAL = 8;

/** An answer on one line, without the values of our own headers. */
function replyOf(text: string, values: readonly string[]): string {
  const credentials = values.flatMap((value) => [value, ...value.split(' ')]);
  const line = credentials
    .filter(({ length }) => length >= SHORTEST_CREDENTIAL)
    .reduce((left, credential) => left.replaceAll(credential, '…'), text)
    .replaceAll(/[\p{C}\p{Z}\uFFFD]+/gu, ' ')
    .trim();
  return line.length <= LONGEST_WORDS ? line : `${line.slice(0, LONGEST_WORDS).toWellFormed()}…`;
}

/** A log collector. */
export interface Destination {
  /**
   * Resolves once the collector has accepted every event of the batch; only then may their positions be stored (log-16).
   * @throws NotTaken, or the network's error; the whole batch is then sent again.
   */
  deliver(batch: readonly CollectorEvent[], signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Details of a refused batch. */
interface Refused {
  /** Milliseconds the collector asked to wait; null without a value. */
  readonly retryAfter: number | null;
  /** A smaller batch may be accepted: there are too many events, or one of them is refused. */
  readonly fewer: boolean;
  /** The operator is told although a smaller batch follows: events were rejected, or the collector is slow. */
  readonly isReported: boolean;
  /** The collector's own message; empty without one. */
  readonly reply: string;
}

/** The collector answered, and did not take the batch. */
export class NotTaken extends Error implements Refused {
  override readonly name = 'NotTaken';
  readonly retryAfter: number | null;
  readonly fewer: boolean;
  readonly isReported: boolean;
  readonly reply: string;

  constructor(
    message: string,
    { retryAfter = null, fewer = false, isReported = false, reply = '' }: Partial<Refused> = {},
  ) {
    super(message);
    this.retryAfter = retryAfter;
    this.fewer = fewer;
    this.isReported = isReported;
    this.reply = reply;
  }
}
