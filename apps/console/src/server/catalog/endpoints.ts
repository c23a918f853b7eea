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

const list = route({
  method: 'GET',
  path: '/api/endpoints',
  right,
  summary: 'Lists the endpoints by name. Filter: `model`. `search` searches the names of endpoint, model and provider.',
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
      'Creates an active endpoint that serves a model. `paths` restricts the paths that callers may use. Each path matches itself, also after a version such as `/v1`. `*` matches any characters of one segment; as the last segment it matches everything below. Empty: all paths.',
    change:
      'Renames an endpoint, changes its model or its paths, disables or enables it. The change applies to the next call.',
    remove: 'Deletes an endpoint.',
  },
  whole: z.strictObject({ name, model: reference, active: active.default(true), paths: paths.default([]) }),
  parts: z.strictObject({ name, model: reference, active, paths }).partial(),
  refersTo: 'model',
});

export const endpointRoutes = [list, ...declarations];
