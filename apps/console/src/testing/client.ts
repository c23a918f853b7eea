/** An answer: status, headers, the text and, if it is JSON, its value. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** As JSON.parse gives it: tests look into answers of every shape. */
  readonly json: ReturnType<typeof JSON.parse>;
}

/** Asks one console with the same headers every time. */
export interface Client {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  patch(path: string, body: unknown): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  /** Posts, and returns the created object. */
  create(path: string, body: unknown): Promise<Reply['json']>;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

let requests = 0;
/** A separate source address for each request, which the test console trusts: guesses of one test throttle no other. */
function ownAddress(): string {
  requests += 1;
  return `127.1.${(requests >> 8) & 255}.${requests & 255}`;
}

export function createClient(base: string, own: Record<string, string> = {}): Client {
  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: {
        'x-forwarded-for': ownAddress(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...own,
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: jsonOf(text) };
  };
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
    async create(path, body) {
      const reply = await send('POST', path, body);
      if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status}: ${reply.text}`);
      return reply.json;
    },
  };
}
