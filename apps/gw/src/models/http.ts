import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { http, loadHttps } from '../network/node-http.ts';
import { atProxy, proxyVariables } from '../network/proxies.ts';
import { errorText } from './failure.ts';

/** Longest part of an error answer that is read. */
const MOST_ERROR_BYTES = 64 * 1024;

/** An answer whose body is read as it comes. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Uint8Array>;
}
export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
) => Promise<HttpAnswer>;

/**
 * Posts without a time limit: an engine may load its model for minutes before the first byte. The given variables (HTTPS_PROXY,
 * HTTP_PROXY, NO_PROXY) set the proxy.
 * @throws WrongUsage where one of them is no address
 */
export function createPost(variables: ReadonlyMap<string, string>): Post {
  const proxyEnv = proxyVariables(variables);
  // The server may close a persistent connection just as it is reused; a new one costs little compared with a model.
  const options = { keepAlive: false, proxyEnv };
  const agents: { plain?: Agent; secure?: Agent } = {};
  return (url, headers, body, signal) =>
    new Promise((resolve, reject) => {
      const secure = new URL(url).protocol === 'https:';
      const agent = secure
        ? (agents.secure ??= new (loadHttps().Agent)(options))
        : (agents.plain ??= new http.Agent(options));
      const request = (secure ? loadHttps() : http).request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        agent,
        signal,
      });
      request.on('error', (error) => reject(atProxy(error, url, variables)));
      request.on('response', (answer) => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: piecesOf(answer) });
      });
      request.end(body);
    });
}

/** Pieces that wait before no more are taken from the connection. */
const MOST_WAITING = 64;

/** The pieces of a body, also those that came right before the connection broke: a stream drops them then. */
function piecesOf(answer: IncomingMessage): AsyncIterable<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let end: { readonly error: unknown } | 'ended' | null = null;
  let wake = (): void => undefined;
  answer.on('data', (piece: Uint8Array) => {
    waiting.push(piece);
    if (waiting.length > MOST_WAITING) answer.pause();
    wake();
  });
  const close = (how: typeof end): void => {
    end ??= how;
    wake();
  };
  answer.once('end', () => close('ended'));
  answer.once('error', (error) => close({ error }));
  answer.once('close', () =>
    close({ error: Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }) }),
  );
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const piece = waiting.shift();
        if (piece !== undefined) {
          if (answer.isPaused() && waiting.length === 0) answer.resume();
          yield piece;
        } else if (end === 'ended') return;
        else if (end !== null) throw end.error;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      answer.destroy();
    }
  }
  return { [Symbol.asyncIterator]: pieces };
}

/** The body of an error answer: its text, and its value, which is null where it is no JSON. */
export async function readError(answer: HttpAnswer): Promise<{ readonly text: string; readonly value: unknown }> {
  let text = '';
  try {
    text = await wholeText(answer.body, MOST_ERROR_BYTES);
    return { text, value: JSON.parse(text) };
  } catch {
    return { text, value: null };
  }
}

/** The sentence of an error answer; null where it has none. */
export async function sentenceOf(answer: HttpAnswer): Promise<string | null> {
  return errorText((await readError(answer)).value);
}

/** A body as text; of a longer one its beginning. */
export async function wholeText(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostBytes) break;
  }
  return Buffer.concat(chunks).toString();
}
