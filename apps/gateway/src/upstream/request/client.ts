import type { Readable } from 'node:stream';

/** A request as it leaves: the target and the headers are written as they are. */
export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  /** Flat: [name, value, …], without a length where the body is whole. */
  readonly headers: readonly string[];
  /** Null: the request has no body. */
  readonly body: Buffer | Readable | null;
}

/**
 * Takes the answer to one request: `interim` any number of times, `head`, `data` any number of times, then `end`; or `failed`, at any
 * time, as the last one. None of them may throw.
 */
export interface AnswerHandler {
  interim(status: number, headers: readonly string[]): void;
  head(status: number, reason: string, headers: readonly string[]): void;
  /** What one read of the connection brought. @returns false where nothing more may come until `resume` is called. */
  data(bytes: Buffer): boolean;
  end(): void;
  failed(error: Error): void;
}

/** A request that was sent. */
export interface UpstreamExchange {
  /** Ends it in whatever phase it is; the handler is not called any more. */
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
