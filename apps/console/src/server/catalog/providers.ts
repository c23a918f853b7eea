import { changedProvider, faultsOfProvider, newProvider } from '@gateway/access/declarations';
import { PROVIDERS } from '@gateway/database/administration';
import { listProviders, namesOfModels } from '@gateway/database/console';
import * as z from 'zod';
import { okResponse } from '../http/answers.ts';
import { searchText } from '../input/filter.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { type Right, route } from '../routing/route.ts';
import { declarationRoutes } from './declaration.ts';

const right: Right = { permission: 'fournisseurs:administrer' };

const list = route({
  method: 'GET',
  path: '/api/providers',
  right,
  summary: 'Lists the providers by slug. `search` searches name, slug and Base URL.',
  answers: '200 `{providers, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('providers', z.tuple([z.string()]), {
      usual: 'slug',
      columns: { name: 'text', baseUrl: 'text', apiKeyEnv: 'text' },
    }),
    search: searchText,
  }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listProviders(services.database, { ...page, search: query.search });
    return okResponse(pageOf('providers', rows, page, ({ slug }) => [slug]));
  },
});

const declarations = declarationRoutes<'provider'>({
  of: PROVIDERS,
  path: '/api/providers',
  right,
  summaries: {
    create:
      'Declares a provider. A Base URL of plain `http` needs `clearTextAcknowledged: true`. An empty `apiKeyEnv` or `apiKeyHeader` is none.',
    change: 'Changes a provider; what the body leaves out stays.',
    remove: 'Deletes a provider that no model refers to.',
  },
  whole: newProvider,
  parts: changedProvider,
  faultsOf: faultsOfProvider,
  referredToBy: 'a model',
  namesReferring: namesOfModels,
});

export const providerRoutes = [list, ...declarations];
