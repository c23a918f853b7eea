import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Stream } from 'node:http2';

/** A request and its answer, as every handler takes them. */
export type Http1Exchange = [request: IncomingMessage, response: ServerResponse];

/**
 * A request and its answer of HTTP/2 in the shape of HTTP/1.1, which every handler is written for. What differs is put right
 * here: pseudo fields, a body without a length, cookies in crumbs, and an answer that ends broken without its connection.
 */
export function asHttp1(request: Http2ServerRequest, response: Http2ServerResponse): Http1Exchange {
  const { stream } = response;
  request.on('error', () => {}); // a stream error is also emitted here; for HTTP/1.1 requests it is ignored, too
  Object.defineProperties(request, {
    rawHeaders: { value: fieldsOf(request) },
    headers: { value: headersOf(request) },
    socket: { value: { remoteAddress: stream.session?.socket.remoteAddress, destroy: () => stop(stream) } },
  });
  Object.defineProperties(response, {
    destroyed: { get: () => stream.destroyed || stream.closed },
    destroy: { value: () => reset(stream) },
    socket: { value: socketOf(stream) },
    req: { value: request },
  });
  const writeContinue = response.writeContinue.bind(response);
  // Node.js throws between the end of a stream and its event.
  Object.defineProperty(response, 'writeContinue', {
    value: () => {
      if (!stream.destroyed && !stream.closed) writeContinue();
    },
  });
  const writeHead = response.writeHead.bind(response);
  // HTTP/2 has no reason phrase.
  Object.defineProperty(response, 'writeHead', {
    value: (status: number, ...rest: unknown[]) => {
      const headers = rest.find((part) => typeof part === 'object') ?? {};
      return writeHead(
        status,
        (Array.isArray(headers) ? fieldsFor(status, headers) : headers) as Record<string, string>,
      );
    },
  });
  return [request as unknown as IncomingMessage, response as unknown as ServerResponse];
}

/**
 * Ends a stream as broken: a caller must never accept a cut answer as complete. `close` would first end the stream like a
 * complete answer, and wait for pending writes; only destroying it with an error resets it immediately.
 */
function reset(stream: ServerHttp2Stream): void {
  if (stream.destroyed) return;
  stream.destroy(stream.closed ? undefined : new Error('the answer was broken off'));
}

/** Stops reading a request; a complete answer stays complete (RFC 9113 section 8.1). */
function stop(stream: ServerHttp2Stream): void {
  if (!stream.writableFinished) reset(stream);
  else if (!stream.closed) stream.close(constants.NGHTTP2_NO_ERROR);
}

/** The connection's interface for handlers, limited to one stream: other streams of the connection are independent. */
function socketOf(stream: ServerHttp2Stream) {
  return {
    get writableLength() {
      return stream.writableLength;
    },
    write: (_: string, written: () => void) => stream.write('', () => written()),
    resetAndDestroy: () => reset(stream),
    destroy: () => reset(stream),
  };
}

/**
 * The fields as received, without pseudo-header fields. Cookies are joined, as RFC 9113 section 8.2.3 requires on leaving HTTP/2.
 * A host other than the authority is added as a second one (section 8.3.1), for which the head is refused.
 */
function fieldsOf({ rawHeaders, authority, stream }: Http2ServerRequest): string[] {
  const fields: string[] = [];
  const cookies: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (name === 'cookie') cookies.push(value);
    else if (!name.startsWith(':')) fields.push(name, value);
  }
  if (cookies.length > 0) fields.push('cookie', cookies.join('; '));
  if (!has(fields, 'host', authority)) fields.push('host', authority);
  // A body needs no length in HTTP/2: it ends with its stream.
  const bodyFollows = !(stream as ServerHttp2Stream & { readonly endAfterHeaders: boolean }).endAfterHeaders;
  if (bodyFollows && !has(fields, 'content-length')) fields.push('transfer-encoding', 'chunked');
  return fields;
}

/** Fields allowed in an HTTP/2 answer: none of the connection's, and no whitespace around a value (RFC 9113 section 8.2). */
function fieldsFor(status: number, fields: readonly string[]): string[] {
  const fitting: string[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [name = '', value = ''] = fields.slice(index, index + 2);
    const lower = name.toLowerCase();
    // Node.js ends an answer of 205 with its head.
    if (!OF_A_CONNECTION.has(lower) && !(status === 205 && lower === 'content-length'))
      fitting.push(name, value.trim());
  }
  return fitting;
}

/** Node.js throws where one of them is written. */
const OF_A_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** The same by their names, as Node.js joins them. */
function headersOf({ headers, authority }: Http2ServerRequest): IncomingMessage['headers'] {
  const named = Object.entries(headers).filter(([name]) => !name.startsWith(':'));
  return { host: authority, ...Object.fromEntries(named) };
}

function has(fields: readonly string[], wanted: string, value?: string): boolean {
  return fields.some(
    (name, index) => index % 2 === 0 && name === wanted && (value === undefined || fields[index + 1] === value),
  );
}
