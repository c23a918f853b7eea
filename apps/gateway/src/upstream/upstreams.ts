import { type Dispatcher, errors, Pool } from 'undici';
import type { UpstreamConfiguration } from '../config/upstream.ts';
import {
  type AnswerHandler,
  type BaseUrl,
  joinPath,
  parseBaseUrl,
  type UpstreamClient,
  type UpstreamExchange,
  type UpstreamRequest,
} from './client.ts';
import { type Connector, connectDirectly, connectingWithin, isUnconnected, reportingResets } from './connector.ts';
import type { Way } from './failure.ts';
import { PlainClient, type PlainRequest } from './plain-client.ts';
import { parseNoProxy, proxyAuthorization, secureContextOf, tunnelThrough } from './tunnel.ts';

/** One provider as the relay reaches it. */
export interface Upstream {
  /** For relayed calls. */
  readonly client: UpstreamClient;
  /** For requests of the gateway's own. */
  readonly dispatcher: Dispatcher;
  readonly way: Way;
  /** Whether the provider is reached over TLS. */
  readonly secure: boolean;
  /** The request target for the rest of a caller's path. */
  target(rest: string): string;
  /** Headers of the way itself, flat: Host and Proxy-Authorization where a proxy forwards. */
  readonly headers: readonly string[];
}

export interface Upstreams {
  /**
   * @param hasStandby a connection is given up after three seconds, because another provider can serve the call.
   * @returns null where the declared text is no Base URL.
   */
  of(baseUrl: string, hasStandby?: boolean): Upstream | null;
  close(): Promise<void>;
}

type Limited = (connector: Connector) => Connector;

/** Providers rarely change; beyond this number, pools of unused addresses are closed. */
const MOST_POOLS = 256;

/** Bytes of all headers of an answer: as many as a caller's request may have. */
const MOST_HEADER_BYTES = 64 * 1024;

/** Milliseconds for a connection to a provider whose calls another one can serve. */
const STANDBY_CONNECT_MS = 3_000;

/** Keeps one pool of connections per Base URL, made at its first call. */
export function createUpstreams(configuration: Omit<UpstreamConfiguration, 'keyPattern'>): Upstreams {
  const known = new Map<string, Upstream>();
  /** Those that have a standby. */
  const replaceable = new Map<string, Upstream>();
  const noProxy = parseNoProxy(configuration.noProxy);
  const secureContext = secureContextOf(configuration.tls);
  /** Of proxies: the client certificate is for providers. */
  const proxyContext = secureContextOf({ ...configuration.tls, client: null });
  const options: Pool.Options = {
    allowH2: false, // header spelling and order survive HTTP/1.1 only
    pipelining: 1,
    // The duration cap of the request bounds the wait for the head: an engine may load its model for minutes.
    headersTimeout: 0,
    bodyTimeout: configuration.idleTimeout,
    maxHeaderSize: MOST_HEADER_BYTES,
  };

  function make(base: BaseUrl, connectTimeout: number | null): Upstream {
    const limited: Limited = (connector) =>
      connectTimeout === null ? connector : connectingWithin(connectTimeout, connector);
    const proxy = base.secure ? configuration.httpsProxy : configuration.httpProxy;
    if (proxy !== null && !noProxy(base.hostname, base.port))
      return base.secure ? tunnelled(base, proxy, limited) : forwarded(base, proxy, limited);
    const connect = limited(connectDirectly(base.secure ? secureContext() : null));
    const dispatcher = new Pool(base.origin, { ...options, connect });
    const client = base.secure ? undiciClient(dispatcher) : directClient(base, dispatcher, connectTimeout);
    return {
      client,
      dispatcher,
      way: 'direct',
      secure: base.secure,
      target: (rest) => joinPath(base, rest),
      headers: [],
    };
  }

  /** Bodies that leave in pieces are undici's. */
  function directClient(base: BaseUrl, dispatcher: Dispatcher, connectTimeout: number | null): UpstreamClient {
    const { idleTimeout } = configuration;
    const plain = new PlainClient(base, { idleTimeout, ...(connectTimeout !== null && { connectTimeout }) });
    const flowing = undiciClient(dispatcher);
    return {
      send: (request, handler) => (isWhole(request) ? plain.send(request, handler) : flowing.send(request, handler)),
      close() {
        plain.close();
        flowing.close();
      },
      async destroy() {
        plain.destroy();
        await flowing.destroy();
      },
    };
  }

  function tunnelled(base: BaseUrl, proxy: URL, limited: Limited): Upstream {
    const connect = limited(reportingResets(tunnelThrough(proxy, secureContext, proxyContext)));
    const dispatcher = new Pool(base.origin, { ...options, connect });
    const client = undiciClient(dispatcher);
    return { client, dispatcher, way: 'tunnel', secure: true, target: (rest) => joinPath(base, rest), headers: [] };
  }

  /** Plain HTTP requests to a proxy have the whole address as their target (RFC 9112 section 3.2.2). */
  function forwarded(base: BaseUrl, proxy: URL, limited: Limited): Upstream {
    const connect = limited(connectDirectly(proxy.protocol === 'https:' ? proxyContext() : null));
    const dispatcher = new Pool(proxy.origin, { ...options, connect });
    const authorization = proxyAuthorization(proxy);
    return {
      client: undiciClient(dispatcher),
      dispatcher,
      way: 'forward',
      secure: false,
      target: (rest) => base.origin + joinPath(base, rest),
      headers: ['host', base.authority, ...(authorization === null ? [] : ['proxy-authorization', authorization])],
    };
  }

  return {
    of(baseUrl, hasStandby = false) {
      const pools = hasStandby ? replaceable : known;
      const found = pools.get(baseUrl);
      if (found !== undefined) return found;
      const base = parseBaseUrl(baseUrl);
      if (base === null) return null;
      const made = make(base, hasStandby ? STANDBY_CONNECT_MS : null);
      pools.set(baseUrl, made);
      if (pools.size > MOST_POOLS) closeOldest(pools);
      return made;
    },
    async close() {
      await Promise.all([...known.values(), ...replaceable.values()].map(({ client }) => client.destroy()));
    },
  };
}

function isWhole(request: UpstreamRequest): request is PlainRequest {
  return request.body === null || Buffer.isBuffer(request.body);
}

/** Running calls of the pool end as they would; only then its connections close. */
function closeOldest(known: Map<string, Upstream>): void {
  const [oldest] = known;
  if (oldest === undefined) return;
  known.delete(oldest[0]);
  oldest[1].client.close();
}

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
