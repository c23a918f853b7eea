import { endpointFields } from '@gateway/access/declarations';
import { ENDPOINTS } from '@gateway/database/administration';
import { listEndpoints } from '@gateway/database/console';
import * as z from 'zod';
import { faulty, okResponse } from '../http/answers.ts';
import { reference, searchText } from '../input/fields.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { type Right, type Route, route } from '../routing/route.ts';
import { declarationRoutes } from './declaration.ts';

const right: Right = { permission: 'endpoints:administrer' };

const { name, active, paths } = endpointFields;
const standby = reference.nullable();

const list = route({
  method: 'GET',
  path: '/api/endpoints',
  right,
  summary:
    'Lists the endpoints by name. Filter: `model`, also as the standby. `search` searches the names of endpoint, models and providers.',
  answers: '200 `{endpoints, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('endpoints', z.tuple([z.string()]), {
      usual: 'name',
      columns: { model: 'text', active: 'boolean' },
    }),
    model: reference.optional(),
    search: searchText,
  }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listEndpoints(services.database, { ...page, model: query.model ?? null, search: query.search });
    return okResponse(pageOf('endpoints', rows, page, (row) => [row.name]));
  },
});

const declarations = declarationRoutes<'endpoint'>({
  of: ENDPOINTS,
  path: '/api/endpoints',
  right,
  summaries: {
    create:
      'Creates an active endpoint that serves a model. `standby` is the id of a model of another provider, which serves a call if no connection to the first can be made; null: none. `paths` restricts the paths that callers may use. Each path matches itself, also after a version such as `/v1`. `*` matches any characters of one segment; as the last segment it matches everything below. Empty: all paths.',
    change:
      'Renames an endpoint, changes its model, its standby or its paths, disables or enables it. The change applies to the next call.',
    remove: 'Deletes an endpoint.',
  },
  whole: z.strictObject({
    name,
    model: reference,
    standby: standby.default(null),
    active: active.default(true),
    paths: paths.default([]),
  }),
  parts: z.strictObject({ name, model: reference, standby, active, paths }).partial(),
  refersTo: 'model',
  violations: {
    endpoints_standby_model_id_fkey: { standby: 'must be the id of one that exists' },
    endpoints_standby_provider: { standby: 'must be a model of another provider than that of the model' },
  },
});

export const endpointRoutes = [list, ...declarations];

/** Ends before the request's own time does, so that the person learns what happened. */
const ANSWER_MILLISECONDS = 25_000;
/** The most of an answer that is shown. */
const MOST_BYTES = 65_536;

/** Characters allowed in a header field: a line break would end it. */
const KEY = /^[\x21-\x7e]+$/;

const body = z.strictObject({
  endpoint: endpointFields.name,
  key: z.string().min(1).max(16_384).regex(KEY, 'must be one line without spaces'),
  message: z.string().min(1).max(4_000),
});

/** What the gateway answered to a call; without a status it was not reached, and `fault` says why. */
interface Tried {
  readonly status: number | null;
  readonly fault: string | null;
  readonly body: string | null;
}

async function beginningOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES).toString('utf8');
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `No answer within ${ANSWER_MILLISECONDS / 1000} seconds. An engine that loads its model may take longer: try again.`;
  const { code = '' } = ((error as Error | undefined)?.cause ?? {}) as { code?: string };
  return `The console cannot reach the gateway${code === '' ? '' : ` (${code})`}. Check GATEWAY_PUBLIC_URL, and that this address is open from the console's machine.`;
}

/** Calls the endpoint as any client does: with the key that was typed, without credentials of the console. */
async function tryIt(gateway: string, { endpoint, key, message }: z.infer<typeof body>): Promise<Tried> {
  try {
    const answer = await fetch(`${gateway}/${encodeURIComponent(endpoint)}/v1/chat/completions`, {
      method: 'POST',
      redirect: 'manual', // the key goes to the gateway alone
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: endpoint, messages: [{ role: 'user', content: message }] }),
      signal: AbortSignal.timeout(ANSWER_MILLISECONDS),
    });
    return { status: answer.status, fault: null, body: await beginningOf(answer) };
  } catch (error) {
    return { status: null, fault: reasonOf(error), body: null };
  }
}

const call = route({
  method: 'POST',
  path: '/api/endpoint-calls',
  // A caller's own key would do; but the gateway sees the console's address, which policies may look at.
  right: { permission: 'endpoints:administrer' },
  summary:
    'Calls an endpoint at GATEWAY_PUBLIC_URL as an ordinary caller, with the key or token in the body. The console adds no permission, and it does not store or log the key, the message or the answer.',
  answers: '200 `{status, fault, body}`: `status` is null if the gateway was not reached; `fault` has the cause',
  body,
  relayed: true,
  async handle({ body: asked, services: { gatewayUrl } }) {
    return gatewayUrl === null
      ? faulty({ endpoint: 'cannot be called from here: set GATEWAY_PUBLIC_URL where the console runs' })
      : okResponse(await tryIt(gatewayUrl, asked));
  },
});

export const tryEndpointRoutes: readonly Route[] = [call];
