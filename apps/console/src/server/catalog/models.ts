import { deleteModel, insertModel, listModels, lockModel, type Model, updateModel } from '@gateway/database/console';
import { v7 as uuid } from 'uuid';
import * as z from 'zod';
import { administer } from '../administer.ts';
import { created, deleted, faulty, referredTo, shown, taken, unknown } from '../answers.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { present } from '../input/present.ts';
import { line, name, reference } from '../input/text.ts';
import { type Right, route } from '../route.ts';

const right: Right = { permission: 'modeles:administrer' };
const target = ({ slug }: Model) => `model:${slug}`;

/** Euros per token; may be 0 (specification, Model). */
const price = z
  .number('must be a number of euros per token')
  .min(0, 'must not be below 0')
  .max(1_000_000, 'must not be above 1000000');

const fields = { slug: line(200), name, inputPrice: price, outputPrice: price };
const NO_PROVIDER = { provider: 'must be the id of one that exists' };

const list = route({
  method: 'GET',
  path: '/api/models',
  right,
  summary: 'Lists the models by slug, of one provider where `provider` is given.',
  answers: '200 `{models, next}`',
  query: z.strictObject({ ...paging('models', z.tuple([z.string(), z.guid()])), provider: reference.optional() }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listModels(services.database, { ...page, provider: query.provider ?? null });
    return shown(pageOf('models', rows, page, ({ slug, id }) => [slug, id]));
  },
});

const create = route({
  method: 'POST',
  path: '/api/models',
  right,
  summary: 'Declares a model of a provider. Prices are euros per token.',
  answers: '201 model',
  body: z.strictObject({ ...fields, provider: reference }),
  async handle(call) {
    const model: Model = { id: uuid(), ...call.body };
    const outcome = await administer(call, async ({ sql, record }) => {
      await insertModel(sql, model);
      await record({ action: 'model.create', target: target(model), before: null, after: model });
    });
    if ('done' in outcome) return created(model);
    return outcome.violated.kind === 'reference' ? faulty(NO_PROVIDER) : taken('model', 'slug');
  },
});

const change = route({
  method: 'PATCH',
  path: '/api/models/:id',
  right,
  summary: "Changes a model. New prices count for the whole month's records, those already there included.",
  answers: '200 model',
  body: z.strictObject(fields).partial(),
  async handle(call) {
    const outcome = await administer<Model, 'absent'>(call, async (at) => {
      const before = (await lockModel(at.sql, call.parameters.id)) ?? at.abandon('absent');
      const after: Model = { ...before, ...present(call.body) };
      await updateModel(at.sql, after);
      await at.record({ action: 'model.change', target: target(before), before, after });
      return after;
    });
    if ('violated' in outcome) return taken('model', 'slug');
    return 'done' in outcome ? shown(outcome.done) : unknown('model');
  },
});

const remove = route({
  method: 'DELETE',
  path: '/api/models/:id',
  right,
  summary: 'Deletes a model that no endpoint serves.',
  answers: '204',
  async handle(call) {
    const outcome = await administer<void, 'absent'>(call, async (at) => {
      const before = (await lockModel(at.sql, call.parameters.id)) ?? at.abandon('absent');
      await deleteModel(at.sql, before.id);
      await at.record({ action: 'model.delete', target: target(before), before, after: null });
    });
    if ('violated' in outcome) return referredTo('model', 'an endpoint');
    return 'done' in outcome ? deleted() : unknown('model');
  },
});

export const modelRoutes = [list, create, change, remove];
