import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';

export interface Asked {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly text: string;
  readonly json: unknown;
}

export interface Asking {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer | object;
  /** Whether a watched answer is stored as text. Default true. */
  readonly keep?: boolean;
  /** Bytes of headers a watched answer may have. Default: that of Node.js. */
  readonly maxHeaderSize?: number;
}

/** An answer that is watched while it arrives. */
export interface Watched {
  readonly outgoing: ClientRequest;
  readonly head: Promise<IncomingMessage>;
  /** Resolves when the text has been seen. */
  shows(text: string): Promise<void>;
  text(): string;
  /** Bytes so far. */
  length(): number;
  /** `complete` or `broken`. */
  readonly done: Promise<'complete' | 'broken'>;
  leave(): void;
}

export const HELLO = { model: 'whatever', messages: [{ role: 'user', content: 'Say hello.' }] };

/** A request whose body is sent later, and that body; null for a method without one. */
function begin(port: number, path: string, asking: Asking): { outgoing: ClientRequest; body: string | Buffer | null } {
  const { method = 'POST', body: given = HELLO, key, headers, maxHeaderSize } = asking;
  const bytes = Buffer.isBuffer(given) || typeof given === 'string' ? given : JSON.stringify(given);
  const body = method === 'GET' || method === 'HEAD' ? null : bytes;
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    ...(maxHeaderSize === undefined ? {} : { maxHeaderSize }),
    headers: {
      'content-type': 'application/json',
      ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  return { outgoing, body };
}

/** Sends a request and watches its answer. */
export function watch(port: number, path: string, asking: Asking = {}): Watched {
  const { outgoing, body } = begin(port, path, asking);
  const chunks: Buffer[] = [];
  let length = 0;
  const watchers = new Set<() => void>();
  const text = (): string => Buffer.concat(chunks).toString();
  let headed: (incoming: IncomingMessage) => void;
  const head = new Promise<IncomingMessage>((resolve, reject) => {
    headed = resolve;
    outgoing.once('error', reject);
  });
  head.catch(() => {}); // a test that does not read the head ignores its absence
  const done = new Promise<'complete' | 'broken'>((resolve) => {
    outgoing.once('error', () => resolve('broken'));
    outgoing.once('response', (incoming) => {
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (asking.keep !== false) chunks.push(chunk);
        for (const seen of watchers) seen();
      });
      incoming.on('error', () => {});
      incoming.once('close', () => resolve(incoming.complete ? 'complete' : 'broken'));
      headed(incoming);
    });
  });
  outgoing.end(body);
  return {
    outgoing,
    head,
    text,
    length: () => length,
    done,
    shows: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!text().includes(wanted)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
    leave: () => outgoing.destroy(),
  };
}

/** Sends a request and waits for its whole answer. */
export function ask(port: number, path: string, asking: Asking = {}): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const { outgoing, body } = begin(port, path, asking);
    outgoing.once('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const { statusCode: status = 0, headers, rawHeaders } = incoming;
        const whole = Buffer.concat(chunks);
        const text = whole.toString();
        resolve({ status, headers, rawHeaders, body: whole, text, json: parsed(text) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Writes bytes to the port and reads until the peer closes. */
export function raw(port: number, bytes: string | Buffer, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let got = '';
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      got += text;
      if (until?.test(got)) socket.destroy();
    });
    socket.on('error', (error) => (got === '' ? reject(error) : resolve(got)));
    socket.on('close', () => resolve(got));
  });
}
