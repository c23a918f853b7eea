import type { Readable } from 'node:stream';

/** An outgoing request: the target and the headers are written unchanged. */
export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  /** Flat: [name, value, …], without a length where the body is whole. */
  readonly headers: readonly string[];
  /** Null: the request has no body. */
  readonly body: Buffer | Readable | null;
}

/**
 * Receives the answer to one request: any number of `interim` calls, `head`, any number of `data` calls, then `end`; or `failed`
 * at any time, as the last call. None of them may throw.
 */
export interface AnswerHandler {
  interim(status: number, headers: readonly string[]): void;
  head(status: number, reason: string, headers: readonly string[]): void;
  /** The data of one read of the connection. @returns false to pause until `resume` is called. */
  data(bytes: Buffer): boolean;
  end(): void;
  /** @param isUnsent there was no connection, so no byte of the request can have left. */
  failed(error: Error, isUnsent: boolean): void;
}

/** A request that was sent. */
export interface UpstreamExchange {
  /** Ends it in any phase; the handler is not called any more. */
  abort(): void;
  resume(): void;
}

/** Sends requests to one provider. */
export interface UpstreamClient {
  send(request: UpstreamRequest, handler: AnswerHandler): UpstreamExchange;
  /** Running exchanges end as they would; only then the connections close. */
  close(): void;
  /** Breaks everything off. */
  destroy(): Promise<void>;
}
