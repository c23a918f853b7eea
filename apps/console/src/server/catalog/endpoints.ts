import { RESERVED_SEGMENTS } from '@gateway/contract';
import {
  deleteEndpoint,
  type Endpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  updateEndpoint,
} from '@gateway/database/console';
import * as z from 'zod';
import { shown } from '../answers.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { reference, slug } from '../input/text.ts';
import { type Right, route } from '../route.ts';
import { declarationRoutes } from './declaration.ts';

const right: Right = { permission: 'endpoints:administrer' };

const name = slug.refine(
  (text) => !(RESERVED_SEGMENTS as readonly string[]).includes(text),
  `must not be ${RESERVED_SEGMENTS.join(', ')}: the gateway keeps these`,
);

const list = route({
  method: 'GET',
  path: '/api/endpoints',
  right,
  summary: 'Lists the endpoints by name, of one model where `model` is given.',
  answers: '200 `{endpoints, next}`',
  query: z.strictObject({ ...paging('endpoints', z.tuple([z.string()])), model: reference.optional() }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listEndpoints(services.database, { ...page, model: query.model ?? null });
    return shown(pageOf('endpoints', rows, page, (row) => [row.name]));
  },
});

const declarations = declarationRoutes<Endpoint>({
  kind: 'endpoint',
  path: '/api/endpoints',
  right,
  named: 'name',
  summaries: {
    create: 'Creates an active endpoint that serves a model.',
    change:
      'Renames an endpoint, gives it another model, disables or enables it. The gateway follows with the next call.',
    remove: 'Deletes an endpoint.',
  },
  whole: z.strictObject({ name, model: reference, active: z.boolean().default(true) }),
  parts: z.strictObject({ name, model: reference, active: z.boolean() }).partial(),
  insert: insertEndpoint,
  lock: lockEndpoint,
  update: updateEndpoint,
  remove: deleteEndpoint,
  refersTo: 'model',
});

export const endpointRoutes = [list, ...declarations];
