import { createHash, timingSafeEqual } from 'node:crypto';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode } from '@gateway/contract/error-code';
import type { AgentSession } from '../agent/types.ts';
import { CommandFailed } from '../process/fault.ts';
import type { Conversation } from './conversation.ts';
import { type Answer, answer, type Route, routes } from './routes.ts';

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  readonly conversation: Conversation;
  readonly session: AgentSession;
  readonly diff: () => Promise<string | null>;
}
export interface Listening {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const MOST_BYTES = 1024 * 1024;
const LOOPBACK_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

/** Listens on loopback. Throws `CommandFailed` if the port is in use. */
export async function listen(options: ServerOptions): Promise<Listening> {
  const table = routes(options);
  const streams = new Set<http.ServerResponse>();
  const server = http.createServer((request, response) => {
    handle(request, response, options, table, streams).catch(() => {
      if (!response.headersSent) send(response, answer(500, { error: 'The request could not be handled.' }));
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const taken = errorCode(error) === 'EADDRINUSE';
      const why = taken ? 'is in use. Choose another one with --port.' : `cannot be used: ${error.message}.`;
      reject(new CommandFailed(`Port ${options.port} ${why}`));
    });
    server.listen(options.port, options.host === 'localhost' ? '127.0.0.1' : options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const name = options.host === '::1' ? '[::1]' : '127.0.0.1';
  return {
    url: `http://${name}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // Streams of events would last for ever. What is being answered (POST /exit) gets its answer.
        for (const stream of streams) stream.end();
        setTimeout(() => server.closeAllConnections(), 100).unref();
      }),
  };
}

async function handle(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { token, session }: ServerOptions,
  table: ReadonlyMap<string, Route>,
  streams: Set<http.ServerResponse>,
): Promise<void> {
  const { host = '', origin, authorization = '' } = request.headers;
  if (!LOOPBACK_HOST.test(host)) return send(response, answer(403, { error: 'Host must be a loopback address.' }));
  if (origin !== undefined)
    return send(response, answer(403, { error: 'Requests of web pages (with an Origin header) are refused.' }));
  if (!isSame(authorization.replace(/^bearer(?= )/i, 'Bearer'), `Bearer ${token}`)) {
    const refused = answer(401, { error: 'Send the token: Authorization: Bearer <token>.' });
    return send(response, { ...refused, headers: { 'www-authenticate': 'Bearer' } });
  }
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const { method = 'GET' } = request;
  if (path === '/events' && method === 'GET') return streamEvents(response, session, streams);
  const route = table.get(`${method} ${path}`);
  if (route === undefined) {
    const known = path === '/events' || [...table.keys()].some((key) => key.endsWith(` ${path}`));
    if (known) return send(response, answer(405, { error: `${path} does not take ${method}.` }));
    return send(response, answer(404, { error: `There is no route ${path}.` }));
  }
  const body = await readBody(request);
  if (body === null) return send(response, answer(413, { error: `A body has at most ${MOST_BYTES} bytes.` }));
  const result = await route(body);
  send(response, result);
  result.after?.();
}

/** Compares digests, so that the time reveals nothing about the token. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

async function readBody(request: http.IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function send(response: http.ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(`${JSON.stringify(body)}\n`);
}

/** Every event of the session as it happens. A reader that does not keep up is disconnected. */
function streamEvents(response: http.ServerResponse, session: AgentSession, streams: Set<http.ServerResponse>): void {
  const MOST_WAITING = 8 * 1024 * 1024;
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': ready\n\n');
  const leave = session.subscribe((event) => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    if (response.writableLength > MOST_WAITING) response.destroy();
  });
  const heartbeat = setInterval(() => response.write(': heartbeat\n\n'), 15_000);
  streams.add(response);
  response.on('close', () => {
    streams.delete(response);
    clearInterval(heartbeat);
    leave();
  });
  response.on('error', () => undefined);
}
