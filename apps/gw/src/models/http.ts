import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ContextExceeded, ModelFailed } from '../agent/types/index.ts';
import { atProxy, http, loadHttps, proxyVariables } from '../process/network.ts';
import { pluralize } from '../process/pluralize.ts';

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

/** How engines name the error in `code` or `type`: OpenAI and others, llama.cpp. */
const CODES = new Set(['context_length_exceeded', 'exceed_context_size_error']);
/** What engines say; the number is what the model takes. */
const SENTENCES = [
  /\b(?:maximum|model's) context length is (?:only )?(?<tokens>\d+)/i, // OpenAI, vLLM
  /exceeds the available context size(?: \((?<tokens>\d+) tokens\))?/i, // llama.cpp
  /prompt is too long(?:: \d+ tokens > (?<tokens>\d+))?/i, // Anthropic
  /too large for model with (?<tokens>\d+) maximum context length/i, // Mistral
  /input token count .{0,40}exceeds the maximum number of tokens allowed(?: \((?<tokens>\d+)\))?/i, // Gemini
];

/** The fault that an engine's error stands for. `sentence` is its text, or a substitute where it has none. */
export function failureOf(value: unknown, sentence: string, status: number | null): ModelFailed {
  const { error = value } = (typeof value === 'object' && value !== null ? value : {}) as { readonly error?: unknown };
  const { code, type, n_ctx } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly [name in 'code' | 'type' | 'n_ctx']?: unknown;
  };
  const found = SENTENCES.map((pattern) => pattern.exec(errorText(value) ?? '')).find((match) => match !== null);
  if (found === undefined && !CODES.has(String(code)) && !CODES.has(String(type)))
    return new ModelFailed(sentence, status);
  const tokens = Number(n_ctx ?? found?.groups?.['tokens']);
  return new ContextExceeded(sentence, status, Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null);
}

/** The sentence of an error: `{error: "…"}` as the gateway answers, `{error: {message}}` as engines do. */
export function errorText(value: unknown, levels = 4): string | null {
  if (typeof value !== 'object' || value === null || levels === 0) return null;
  const { error, message, detail } = value as Partial<Record<'error' | 'message' | 'detail', unknown>>;
  for (const candidate of [error, message, detail]) {
    if (typeof candidate === 'string' && candidate.trim() !== '') return candidate;
    const nested = errorText(candidate, levels - 1);
    if (nested !== null) return nested;
  }
  return null;
}

/** Reasons of the gateway for which it ends an answer that has begun, with the status it would have refused the call with. */
const ENDED: Readonly<Record<string, number>> = {
  'session-revoked': 403,
  'subject-revoked': 403,
  'endpoint-disabled': 403,
  'role-missing': 403,
  'policy-forbids': 403,
  'key-revoked': 401,
  'key-expired': 401,
  'account-disabled': 401,
  'token-expired': 401,
};

/** The refusal that an event in a stream stands for: `{error, code}`; null where it is another fault. */
export function refusalOf(value: unknown): { readonly status: number; readonly revoked: boolean } | null {
  const { code, error } = (value ?? {}) as { readonly code?: unknown; readonly error?: unknown };
  const nested = typeof error === 'object' && error !== null ? (error as { readonly code?: unknown }).code : undefined;
  const name = String(code ?? nested);
  const status = Object.hasOwn(ENDED, name) ? ENDED[name] : undefined;
  return status === undefined ? null : { status, revoked: name === 'session-revoked' };
}

/** No byte came for this long after the first one. */
export class Stalled extends ModelFailed {
  constructor(seconds: number) {
    super(
      `The engine sent nothing for ${pluralize(seconds, 'second')}, so the answer was given up (stallSeconds). What arrived is kept.`,
      null,
    );
  }
}

/**
 * The pieces of a body, of which the first may come at any time and each further one within `seconds`.
 * @throws Stalled
 */
export async function* withoutStall(
  body: AsyncIterator<Uint8Array>,
  first: IteratorResult<Uint8Array>,
  seconds: number,
): AsyncGenerator<Uint8Array> {
  let next = first;
  try {
    while (next.done !== true) {
      yield next.value;
      next = await within(body.next(), seconds);
    }
  } finally {
    // A body that hangs would never settle this.
    void Promise.resolve(body.return?.()).catch(() => undefined);
  }
}

async function within<T>(piece: Promise<T>, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Stalled(seconds)), seconds * 1000);
  });
  piece.catch(() => undefined); // it settles after the stall, too
  try {
    return await Promise.race([piece, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Answers after which a call is made again, as long as nothing of an answer has come. */
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);
export const MOST_RETRIES = 4;
const FIRST_DELAY_MS = 500;
/** A longer `retry-after` is not waited for: the person sees it instead. */
export const LONGEST_DELAY_MS = 60_000;

/** 520 to 529 are those of proxies and of overloaded engines. */
export function isRetried(status: number): boolean {
  return RETRIED.has(status) || (status >= 520 && status <= 529);
}

/**
 * Milliseconds until the next try: 500, 1000, 2000, 4000, or what `retry-after` says (seconds or a date).
 * @param retry counts from 0.
 */
export function delayBefore(retry: number, retryAfter: string | undefined, now: Date): number {
  const doubled = FIRST_DELAY_MS * 2 ** retry;
  if (retryAfter === undefined || retryAfter.trim() === '') return doubled;
  const seconds = Number(retryAfter);
  const asked = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - now.getTime();
  return Number.isFinite(asked) && asked >= 0 ? asked : doubled;
}

/** When the engine takes calls again, as a sentence: the span and the time of day. */
export function whenAgain(delayMs: number, now: Date): string {
  const at = new Date(now.getTime() + delayMs);
  const time = at.toLocaleString('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const minutes = Math.ceil(delayMs / 60_000);
  const span = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 6) / 10} hours`;
  const day =
    delayMs < 12 * 3_600_000 ? '' : ` on ${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })}`;
  return `It takes calls again in ${span} (at ${time}${day}).`;
}
