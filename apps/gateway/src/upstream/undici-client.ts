import { type Dispatcher, errors } from 'undici';
import { isUnconnected } from './connector.ts';
import type { AnswerHandler, UpstreamClient, UpstreamExchange } from './plain/base-url.ts';

const ABORTED = new Error('the exchange was aborted');

/** Undici behind the interface of the relay: for TLS, proxies, and bodies that leave in pieces. */
export function undiciClient(dispatcher: Dispatcher): UpstreamClient {
  return {
    send(request, handler) {
      const exchange = new UndiciExchange(handler);
      try {
        dispatcher.dispatch({ ...request, headers: request.headers as string[] }, exchange);
      } catch (error) {
        exchange.onResponseError(null, error as Error);
      }
      return exchange;
    },
    close: () => dispatcher.close(() => {}),
    destroy: () => dispatcher.destroy(),
  };
}

class UndiciExchange implements Dispatcher.DispatchHandler, UpstreamExchange {
  readonly #handler: AnswerHandler;
  #controller: Dispatcher.DispatchController | null = null;
  /** Undici emits each chunk of a chunked answer: those of one read are forwarded together. */
  #parts: Buffer[] = [];
  /** The announced length of the answer, and the bytes received. */
  #announced: string | null = null;
  #arrived = 0;
  #isOver = false;

  constructor(handler: AnswerHandler) {
    this.#handler = handler;
  }

  abort(): void {
    this.#isOver = true;
    this.#controller?.abort(ABORTED);
  }

  resume(): void {
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(ABORTED);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _: unknown, reason?: string): void {
    if (this.#isOver) return;
    const headers = (controller.rawHeaders as Buffer[]).map((part) => part.toString('latin1'));
    if (status < 200) return this.#handler.interim(status, headers);
    for (let at = 0; at < headers.length; at += 2)
      if (headers[at]?.toLowerCase() === 'content-length') this.#announced = (headers[at + 1] ?? '').trim();
    this.#handler.head(status, reason ?? '', headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#arrived += chunk.length;
    if (this.#parts.push(chunk) === 1) process.nextTick(this.#release);
  }

  onResponseEnd(): void {
    this.#release();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.end();
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#isMiscounted(error)) return this.onResponseEnd();
    this.#release();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.failed(error, this.#controller === null && isUnconnected(error));
  }

  /** Undici reads blanks after a length (RFC 9110 section 5.5) as digits, and has then counted other bytes than were announced. */
  #isMiscounted(error: Error): boolean {
    return error instanceof errors.ResponseContentLengthMismatchError && this.#announced === String(this.#arrived);
  }

  readonly #release = (): void => {
    const parts = this.#parts;
    if (this.#isOver || parts.length === 0) return;
    this.#parts = [];
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    if (!this.#handler.data(bytes)) this.#controller?.pause();
  };
}
