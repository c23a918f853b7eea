import { RESERVED_SEGMENTS } from '@gateway/contract';
import {
  deleteEndpoint,
  type Endpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  updateEndpoint,
} from '@gateway/database/console';
import { v7 as uuid } from 'uuid';
import * as z from 'zod';
import { administer, type Outcome } from '../administer.ts';
import { created, deleted, faulty, shown, taken, unknown } from '../answers.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { present } from '../input/present.ts';
import { reference, slug } from '../input/text.ts';
import { type Right, route } from '../route.ts';

const right: Right = { permission: 'endpoints:administrer' };
const target = ({ name }: Endpoint) => `endpoint:${name}`;

const name = slug.refine(
  (text) => !(RESERVED_SEGMENTS as readonly string[]).includes(text),
  `must not be ${RESERVED_SEGMENTS.join(', ')}: the gateway keeps these`,
);

function violationAnswer({ violated }: Extract<Outcome<never, never>, { violated: unknown }>): Response {
  return violated.kind === 'reference'
    ? faulty({ model: 'must be the id of one that exists' })
    : taken('endpoint', 'name');
}

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

const create = route({
  method: 'POST',
  path: '/api/endpoints',
  right,
  summary: 'Creates an active endpoint that serves a model.',
  answers: '201 endpoint',
  body: z.strictObject({ name, model: reference, active: z.boolean().default(true) }),
  async handle(call) {
    const endpoint: Endpoint = { id: uuid(), ...call.body };
    const outcome = await administer(call, async ({ sql, record }) => {
      await insertEndpoint(sql, endpoint);
      await record({ action: 'endpoint.create', target: target(endpoint), before: null, after: endpoint });
    });
    return 'violated' in outcome ? violationAnswer(outcome) : created(endpoint);
  },
});

const change = route({
  method: 'PATCH',
  path: '/api/endpoints/:id',
  right,
  summary:
    'Renames an endpoint, gives it another model, disables or enables it. The gateway follows with the next call.',
  answers: '200 endpoint',
  body: z.strictObject({ name, model: reference, active: z.boolean() }).partial(),
  async handle(call) {
    const outcome = await administer<Endpoint, 'absent'>(call, async (at) => {
      const before = (await lockEndpoint(at.sql, call.parameters.id)) ?? at.abandon('absent');
      const after: Endpoint = { ...before, ...present(call.body) };
      await updateEndpoint(at.sql, after);
      await at.record({ action: 'endpoint.change', target: target(before), before, after });
      return after;
    });
    if ('violated' in outcome) return violationAnswer(outcome);
    return 'done' in outcome ? shown(outcome.done) : unknown('endpoint');
  },
});

const remove = route({
  method: 'DELETE',
  path: '/api/endpoints/:id',
  right,
  summary: 'Deletes an endpoint.',
  answers: '204',
  async handle(call) {
    const outcome = await administer<void, 'absent'>(call, async (at) => {
      const before = (await lockEndpoint(at.sql, call.parameters.id)) ?? at.abandon('absent');
      await deleteEndpoint(at.sql, before.id);
      await at.record({ action: 'endpoint.delete', target: target(before), before, after: null });
    });
    return 'done' in outcome ? deleted() : unknown('endpoint');
  },
});

export const endpointRoutes = [list, create, change, remove];
