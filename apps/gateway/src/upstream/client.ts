import type { Readable } from 'node:stream';

/** A declared Base URL, parsed once; the path part stays byte for byte. */
export interface BaseUrl {
  readonly secure: boolean;
  /** `http://host:port`, in the form for the pool. */
  readonly origin: string;
  /** Value of the Host header. */
  readonly authority: string;
  readonly hostname: string;
  readonly port: number;
  /** Path as declared: empty, or beginning with a slash. */
  readonly path: string;
}

/** The authority ends at the first slash; a Base URL has no user info, query or fragment (console-11). */
const FORM = /^(https?):\/\/([^/?#@\\\s]+)((?:\/[\x21-\x22\x24-\x3e\x40-\x7e]*)?)$/i;

/** @returns null where the text is no Base URL the relay may follow. */
export function parseBaseUrl(text: string): BaseUrl | null {
  const [, scheme, authority, path] = FORM.exec(text) ?? [];
  if (scheme === undefined || authority === undefined || path === undefined) return null;
  const url = URL.parse(`${scheme}://${authority}/`);
  if (url === null || url.username !== '' || url.password !== '' || url.pathname !== '/') return null;
  const secure = url.protocol === 'https:';
  return {
    secure,
    origin: url.origin,
    authority: url.host,
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path,
  };
}

/**
 * The rest of the caller's path appended to the Base URL as declared, byte for byte: nothing normalises `//`, `%2F`,
 * `..` or case (console-11).
 * @param rest empty, or beginning with `/` or `?`.
 */
export function joinPath(base: BaseUrl, rest: string): string {
  const path = base.path + rest;
  return path.codePointAt(0) === 0x2f ? path : `/${path}`;
}

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
