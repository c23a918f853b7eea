import { deleteModel, insertModel, listModels, lockModel, type Model, updateModel } from '@gateway/database/console';
import * as z from 'zod';
import { shown } from '../answers.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { line, name, reference } from '../input/text.ts';
import { type Right, route } from '../route.ts';
import { declarationRoutes } from './declaration.ts';

const right: Right = { permission: 'modeles:administrer' };

/** Euros per token; may be 0 (specification, Model). */
const price = z
  .number('must be a number of euros per token')
  .min(0, 'must not be below 0')
  .max(1_000_000, 'must not be above 1000000');

const fields = { slug: line(200), name, inputPrice: price, outputPrice: price };

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

const declarations = declarationRoutes<Model>({
  kind: 'model',
  path: '/api/models',
  right,
  named: 'slug',
  summaries: {
    create: 'Declares a model of a provider. Prices are euros per token.',
    change: "Changes a model. New prices count for the whole month's records, those already there included.",
    remove: 'Deletes a model that no endpoint serves.',
  },
  whole: z.strictObject({ ...fields, provider: reference }),
  parts: z.strictObject(fields).partial(),
  insert: insertModel,
  lock: lockModel,
  update: updateModel,
  remove: deleteModel,
  refersTo: 'provider',
  referredToBy: 'an endpoint',
});

export const modelRoutes = [list, ...declarations];
