import { vi } from 'vitest';

/** A request that the page sent, as the console would receive it. */
export interface Sent {
  readonly method: string;
  /** The address without its query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The body, parsed; undefined where there is none. */
  readonly body: unknown;
}

/** The JSON of an answer with status 200, a whole `Response`, or a function of the request that gives one of them or a promise. */
export type FakeAnswer = object | string | number | null | ((sent: Sent) => unknown);

/** A refusal as the console's API sends it: its sentence, the fields at fault, and the part that is down. */
export const refused = (
  status: number,
  error: string,
  more: { readonly fields?: Readonly<Record<string, string>>; readonly down?: string } = {},
): (() => Response) => {
  return () => Response.json({ error, ...more }, { status });
};

/** The answer to a deletion. */
export const EMPTY = (): Response => new Response(null, { status: 204 });

/** The console cannot be reached: the connection was refused, or the network is down. */
export const unreachable = (): never => {
  throw new TypeError('fetch failed');
};

/** A page of a list (console-9), the only one if no cursor is given. */
export const listed = (
  plural: string,
  rows: readonly unknown[],
  beside: { readonly next?: string; readonly previous?: string } = {},
): object => ({ [plural]: rows, next: beside.next ?? null, previous: beside.previous ?? null });

/** The shared pair is signed in, and lists below the subject of a page are empty, where a test declares nothing else. */
const BESIDE: ReadonlyMap<string, object> = new Map([
  ['GET /api/session', { subject: null, roles: [], gatewayUrl: null }],
  ['GET /api/consumption', listed('rows', [])],
  ['GET /api/consumption/series', { steps: [], parts: [] }],
  ['GET /api/group-roles', listed('groupRoles', [])],
  ['GET /api/imports', listed('imports', [])],
  ['GET /api/providers/key-variables', { reports: [] }],
  ['GET /api/policies/own', listed('policies', [])],
]);

/** The answers of this test, by method and path. The last declaration of an address counts. */
const answers = new Map<string, FakeAnswer>();
const sent: Sent[] = [];
const faults: string[] = [];

/**
 * Declares how the console answers an address: `answers('GET /api/plans', listed('plans', []))`. The query is not part of it. `CHECK`
 * is a change whose input is only checked; without an answer there is no fault in it.
 */
export function given(
  address: `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'CHECK'} /${string}`,
  answer: FakeAnswer,
): void {
  answers.set(address, answer);
}

/** Like `given`, but the answer waits until the returned function is called. A waiting request can be cancelled. */
export function held(address: Parameters<typeof given>[0], answer: FakeAnswer): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  given(address, async (request) => {
    await promise;
    return typeof answer === 'function' ? answer(request) : answer;
  });
  return resolve;
}

/** The changes that were sent, in their order: method and address, and the body where there is one. */
export const changes = (): readonly (readonly [request: string, body?: unknown])[] =>
  sent
    .filter(({ method, query }) => method !== 'GET' && query['check'] === undefined)
    .map(({ method, path, body }) => (body === undefined ? [`${method} ${path}`] : [`${method} ${path}`, body]));

/** The queries of every read of an address, in their order. */
export const reads = (path: string): readonly Sent['query'][] =>
  sent.filter((one) => one.method === 'GET' && one.path === path).map(({ query }) => query);

/** Every request of the pages names its page, is JSON, and carries the session of this console only (console-2). */
function faultsOf({ headers, credentials, body }: RequestInit): readonly string[] {
  const expected = new Headers({ accept: 'application/json', 'x-gateway-console': 'page' });
  if (body !== undefined) expected.set('content-type', 'application/json');
  const found = JSON.stringify([...new Headers(headers)]);
  return [
    ...(found === JSON.stringify([...expected]) ? [] : [`has the headers ${found}`]),
    ...(credentials === 'same-origin' ? [] : [`has the credentials ${credentials}`]),
  ];
}

async function answerOf(request: Sent): Promise<Response> {
  const isCheck = request.query['check'] === 'input';
  const name = `${isCheck ? 'CHECK' : request.method} ${request.path}`;
  const answer = answers.get(name) ?? (isCheck ? EMPTY : BESIDE.get(name));
  if (answer === undefined) {
    faults.push(`${name} was sent, and the test declares no answer to it`);
    return Response.json({ error: 'The test declares no answer.' }, { status: 404 });
  }
  const made: unknown = typeof answer === 'function' ? await answer(request) : answer;
  return made instanceof Response ? made : Response.json(made);
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const abort = () => reject(new DOMException('This operation was aborted', 'AbortError'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
  });

/** Takes the place of the network for every test. */
export function install(): void {
  vi.stubGlobal('fetch', (address: string, { method = 'GET', body, signal, ...rest }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(address, location.href);
    const request: Sent = {
      method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined,
    };
    sent.push(request);
    for (const fault of faultsOf({ ...rest, ...(body == null ? {} : { body }) }))
      faults.push(`${method} ${address} ${fault}`);
    const answer = answerOf(request);
    return signal ? Promise.race([answer, aborted(signal)]) : answer;
  });
}

/** Forgets this test's answers; returns what was wrong with its requests. */
export function settle(): readonly string[] {
  answers.clear();
  sent.length = 0;
  return faults.splice(0);
}
