import { ENDPOINTS, listEndpoints, listModels, MODELS, namesOfEndpoints } from '@gateway/domain/endpoint/console';
import {
  endpointFields,
  modelFields,
  newEndpointFields,
  newModelFields,
  PRICE_UNIT,
} from '@gateway/domain/endpoint/shape';
import {
  CONSUMPTION_BY,
  listConsumption,
  readConsumptionSeries,
  readOverview,
  STRETCHES,
} from '@gateway/domain/usage/console';
import * as z from 'zod';
import { faulty, okResponse } from '../http/answers.ts';
import { filterOf, period, reference, searchText } from '../http/fields.ts';
import { exporting, listOrExport } from '../http/list-or-export.ts';
import { pageAsked, pageOf, paging, sortedPagingSchema } from '../http/page.ts';
import { type Right, type Route, route } from '../http/route.ts';
import { declarationRoutes } from './declaration.ts';
import { ENGINE_FILTER_NAMES, ENGINE_FILTERS } from './providers.ts';

const endpointRight: Right = { permission: 'endpoints:administrer' };

const standby = reference.nullable();

const listEndpointsRoute = route({
  method: 'GET',
  path: '/api/endpoints',
  right: endpointRight,
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

const endpointDeclarations = declarationRoutes({
  of: ENDPOINTS,
  path: '/api/endpoints',
  right: endpointRight,
  summaries: {
    create:
      'Creates an active endpoint that serves a model. `standby` is the id of a model of another provider, which serves a call if no connection to the first can be made; null: none. `paths` restricts the paths that callers may use. Each path matches itself, also after a version such as `/v1`. `*` matches any characters of one segment; as the last segment it matches everything below. Empty: all paths.',
    change:
      'Renames an endpoint, changes its model, its standby or its paths, disables or enables it. The change applies to the next call.',
    remove: 'Deletes an endpoint.',
  },
  whole: z.strictObject({ ...newEndpointFields, model: reference, standby: standby.default(null) }),
  parts: z.strictObject({ ...endpointFields, model: reference, standby }).partial(),
  refersTo: 'model',
  violations: {
    endpoints_standby_model_id_fkey: { standby: 'must be the id of one that exists' },
    endpoints_standby_provider: { standby: 'must be a model of another provider than that of the model' },
  },
});

export const endpointRoutes = [listEndpointsRoute, ...endpointDeclarations];

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

const right: Right = { permission: 'modeles:administrer' };
const UNIT = { priceUnit: PRICE_UNIT };

const listModelsRoute = route({
  method: 'GET',
  path: '/api/models',
  right,
  summary: 'Lists the models by slug. Filter: `provider`. `search` searches the names and slugs of model and provider.',
  answers: '200 `{models, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('models', z.tuple([z.string(), z.guid()]), {
      usual: 'slug',
      columns: { name: 'text', provider: 'text', inputPrice: 'float8', outputPrice: 'float8' },
    }),
    provider: reference.optional(),
    search: searchText,
  }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listModels(services.database, {
      ...page,
      provider: query.provider ?? null,
      search: query.search,
    });
    const shown = rows.map((row) => ({ ...row, ...UNIT }));
    return okResponse(pageOf('models', shown, page, ({ slug, id }) => [slug, id]));
  },
});

const modelDeclarations = declarationRoutes({
  of: MODELS,
  path: '/api/models',
  right,
  summaries: {
    create:
      'Declares a model of a provider. Prices are euros per token, as `priceUnit` in answers says (0.000002 is 2 euros per million tokens). `cachedInputPrice` is for input that was read from a cache, `cacheWritePrice` for input that was written to one; null or absent: the input price.',
    change:
      'Changes a model. New prices count for all records of the current month (UTC); closed months keep the prices they ended with.',
    remove: 'Deletes a model that no endpoint serves, and that is the standby of none.',
  },
  whole: z.strictObject({ ...newModelFields, provider: reference }),
  parts: z.strictObject(modelFields).partial(),
  shownWith: UNIT,
  refersTo: 'provider',
  referredToBy: {
    endpoints_model_id_fkey: 'an endpoint',
    endpoints_standby_model_id_fkey: 'the standby of an endpoint',
  },
  namesReferring: namesOfEndpoints,
});

export const modelRoutes = [listModelsRoute, ...modelDeclarations];

const COLUMNS = [
  'name',
  'calls',
  'inputTokens',
  'cachedInputTokens',
  'outputTokens',
  ...['latencyMs', 'firstTokenMs'].flatMap((time) => ['p50', 'p95', 'p99'].map((part) => `${time}.${part}`)),
];

/** Calls, tokens and times, in both builds. Nothing of it is billed. */
const list = route({
  method: 'GET',
  path: '/api/consumption',
  right: { permission: 'usage:lire-l-instance' },
  summary:
    'Sums calls, tokens and times in milliseconds by endpoint, model (its slug) or subject, the most calls first. `firstTokenMs` is the time to the first byte of the body; null without one. Filter: period.',
  answers: '200 `{rows, next}`',
  query: z.strictObject({
    ...paging('rows', z.tuple([z.number(), z.string()])),
    ...exporting,
    ...period,
    by: z.enum(CONSUMPTION_BY, 'must be endpoint, model or subject'),
  }),
  handle: (call) =>
    listOrExport(call, {
      plural: 'rows',
      columns: COLUMNS,
      select: (sql, page) => {
        const { by, from = null, until = null } = call.query;
        return listConsumption(sql, { by, from, until }, page);
      },
      keyOf: ({ calls, name }) => [calls, name],
    }),
});

const series = route({
  method: 'GET',
  path: '/api/consumption/series',
  right: { permission: 'usage:lire-l-instance' },
  summary:
    'Shows calls, tokens, times in milliseconds and failed calls over time, by hour, day or month (UTC), the last 75 steps of the period. `parts` are the five endpoints, models or subjects with the most tokens; null is all others.',
  answers:
    '200 `{steps, parts}`: at, calls, inputTokens, outputTokens, latencyMs, firstTokenMs, failed; at, name, calls, tokens',
  query: z.strictObject({
    ...period,
    ...ENGINE_FILTERS,
    by: z.enum(CONSUMPTION_BY, 'must be endpoint, model or subject').default('endpoint'),
    stretch: z.enum(STRETCHES, 'must be hour, day or month').default('day'),
  }),
  handle: async ({ query, services }) => {
    const { by, stretch } = query;
    return okResponse(
      await readConsumptionSeries(services.database, { by, stretch, ...filterOf(query, ENGINE_FILTER_NAMES) }),
    );
  },
});

export const consumptionRoutes: readonly Route[] = [list, series];

/** Numbers for the first look. They name nobody. */
export const overview = route({
  method: 'GET',
  path: '/api/overview',
  right: { permission: 'console:administrer-l-instance' },
  summary:
    'Counts declarations, roles, and the calls, refusals and engine failures of the last hour and day. A count stops at 100,000. It names nobody.',
  answers: '200 object of numbers',
  handle: async ({ services }) => okResponse(await readOverview(services.database)),
});
