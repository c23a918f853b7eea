import { modelFields, PRICE_UNIT } from '@gateway/access/declarations';
import { MODELS } from '@gateway/database/administration';
import { listModels, namesOfEndpoints } from '@gateway/database/console';
import * as z from 'zod';
import { okResponse } from '../http/answers.ts';
import { reference, searchText } from '../input/fields.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { type Right, route } from '../routing/route.ts';
import { declarationRoutes } from './declaration.ts';

const right: Right = { permission: 'modeles:administrer' };
const UNIT = { priceUnit: PRICE_UNIT };

const list = route({
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

const declarations = declarationRoutes<'model'>({
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
  whole: z.strictObject({
    ...modelFields,
    provider: reference,
    cachedInputPrice: modelFields.cachedInputPrice.default(null),
    cacheWritePrice: modelFields.cacheWritePrice.default(null),
  }),
  parts: z.strictObject(modelFields).partial(),
  shownWith: UNIT,
  refersTo: 'provider',
  referredToBy: {
    endpoints_model_id_fkey: 'an endpoint',
    endpoints_standby_model_id_fkey: 'the standby of an endpoint',
  },
  namesReferring: namesOfEndpoints,
});

export const modelRoutes = [list, ...declarations];
