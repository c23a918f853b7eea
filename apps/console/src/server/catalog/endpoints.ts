import { endpointFields } from '@gateway/access/declarations';
import { ENDPOINTS } from '@gateway/database/administration';
import { listEndpoints } from '@gateway/database/console';
import * as z from 'zod';
import { okResponse } from '../http/answers.ts';
import { searchText } from '../input/filter.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { reference } from '../input/reference.ts';
import { type Right, route } from '../routing/route.ts';
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
