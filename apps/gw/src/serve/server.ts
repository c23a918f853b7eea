import { createHash, timingSafeEqual } from 'node:crypto';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorCode } from '@gateway/contract/error-code';
import type { AgentSession } from '../agent/types/index.ts';
import { CommandFailed } from '../process/fault.ts';
import type { Conversation } from './conversation.ts';

interface ServedAnswer {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Runs once the answer is on its way. */
  readonly after?: () => void;
}
type Route = (body: string) => ServedAnswer | Promise<ServedAnswer>;

function answer(status: number, body: object): ServedAnswer {
  return { status, body };
}

/** The routes of `gw serve` (client-20), by method and path. */
function routes(of: {
  readonly conversation: Conversation;
  readonly session: AgentSession;
  readonly diff: () => Promise<string | null>;
}): ReadonlyMap<string, Route> {
  const { conversation, session, diff } = of;
  return new Map<string, Route>([
    [
      'GET /state',
      () => {
        const { state, mode } = session;
        const { id, title, directory, model, startedAt, updatedAt, turns, usage, contextTokens, checklist, messages } =
          state;
        return answer(200, {
          session: {
            id,
            title,
            directory,
            model,
            mode,
            startedAt,
            updatedAt,
            turns,
            usage,
            contextTokens,
            checklist,
            messages,
          },
          isProcessing: conversation.isProcessing,
          messageQueueLength: conversation.queueLength,
          pendingPermission: conversation.pending,
        });
      },
    ],
    [
      'POST /message',
      (body) => {
        const message = membersOf(body)?.['message'];
        if (typeof message !== 'string' || message.trim() === '')
          return answer(400, { error: 'The body must be {"message": "<text>"} with a text that is not blank.' });
        return answer(200, { queued: true, position: conversation.send(message) });
      },
    ],
    [
      'POST /permission',
      (body) => {
        const { requestId, approved } = membersOf(body) ?? {};
        if (typeof requestId !== 'string' || typeof approved !== 'boolean')
          return answer(400, { error: 'The body must be {"requestId": "<id>", "approved": true or false}.' });
        if (!conversation.approve(requestId, approved))
          return answer(404, { error: 'No permission with this requestId is waiting.' });
        return answer(200, { requestId, approved });
      },
    ],
    [
      'GET /diff',
      async () => {
        const text = await diff();
        return text === null
          ? answer(409, { error: 'This project is not a git repository, or git is missing.' })
          : answer(200, { diff: text });
      },
    ],
    [
      'POST /pause',
      () => {
        conversation.pause();
        return answer(200, { paused: true });
      },
    ],
    ['POST /exit', () => ({ status: 200, body: { exiting: true }, after: () => conversation.end() })],
  ]);
}

function membersOf(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

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

function send(response: http.ServerResponse, { status, body, headers = {} }: ServedAnswer): void {
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
