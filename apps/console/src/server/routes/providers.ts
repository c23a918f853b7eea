import { namesOfModels } from '@gateway/domain/endpoint/console';
import { PROVIDERS, requestConnectionTest, requestProviderTest } from '@gateway/domain/provider/acts';
import {
  listEngineErrors,
  listKeyVariableReports,
  listProviderHealth,
  listProviders,
  readEngineResult,
  readProviderTest,
} from '@gateway/domain/provider/console';
import { changedProvider, faultsOfProvider, newProvider, testedProvider } from '@gateway/domain/provider/shape';
import * as z from 'zod';
import { administer } from '../http/administer.ts';
import { createdResponse, faulty, okResponse, unknown } from '../http/answers.ts';
import { exactly, filterOf, period, searchText } from '../http/fields.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../http/page.ts';
import { type Right, type Route, route } from '../http/route.ts';
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

const declarations = declarationRoutes({
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

const request = route({
  method: 'POST',
  path: '/api/providers/:id/test',
  right,
  summary:
    'Asks a gateway to test the connection to a provider, because only the gateway has the key and the network. The gateway requests the models of the engine and stores the result.',
  answers: '201 `{id, requestedAt, finishedAt, status, fault, models}`, unfinished',
  async handle(call) {
    const outcome = await administer(call, (act) => requestProviderTest(act, call.parameters.id));
    return 'done' in outcome ? createdResponse(outcome.done) : unknown('provider');
  },
});

const requestUndeclared = route({
  method: 'POST',
  path: '/api/provider-tests',
  right,
  summary:
    'Asks a gateway to test a connection before a provider is declared with it, and to list the models of the engine. It takes the members of a provider but `slug` and `name`, and declares nothing.',
  answers: '201 `{id, requestedAt, finishedAt, status, fault, models}`, unfinished',
  body: testedProvider,
  async handle(call) {
    const faults = faultsOfProvider(call.body);
    if (faults !== null) return faulty(faults);
    const outcome = await administer(call, (act) => requestConnectionTest(act, call.body));
    if ('violated' in outcome)
      throw new Error(`requesting a test conflicted with another change (${outcome.violated.constraint})`);
    return createdResponse(outcome.done);
  },
});

const keyVariables = route({
  method: 'GET',
  path: '/api/providers/key-variables',
  right,
  summary:
    'Shows which key variables of the providers are set in the environment of each gateway: names, never values. A report that was not repeated for five minutes is old.',
  answers: '200 `{reports}`: gateway, reportedAt, isOld, present, absent',
  handle: async ({ services }) => okResponse({ reports: await listKeyVariableReports(services.database) }),
});

const state = route({
  method: 'GET',
  path: '/api/provider-tests/:id',
  right,
  summary: 'Shows the state of a connection test. A gateway starts it within seconds, or not at all after a minute.',
  answers: '200 `{id, requestedAt, finishedAt, status, fault, models}`',
  async handle({ parameters, services }) {
    const test = await readProviderTest(services.database, parameters.id);
    return test === undefined ? unknown('provider test') : okResponse(test);
  },
});

export const providerTestRoutes: readonly Route[] = [request, requestUndeclared, keyVariables, state];

export const ENGINE_FILTERS = { endpoint: exactly, model: exactly, provider: exactly, subject: exactly };
export const ENGINE_FILTER_NAMES = ['endpoint', 'model', 'provider', 'subject', 'from', 'until'] as const;

/** Results of engines, for the people who declare them. */
export const providerHealth = route({
  method: 'GET',
  path: '/api/providers/health',
  right: { permission: 'fournisseurs:administrer' },
  summary:
    'Shows the last result of each provider, and the failed calls of the last hour. A call failed if it has no answer, an interrupted one, or a status from 400.',
  answers: '200 `{health}`: provider (slug), name, last, lastFailure, callsLastHour, failedLastHour',
  handle: async ({ services }) => okResponse({ health: await listProviderHealth(services.database) }),
});

/** The result of a call, for readers of its decision. */
export const decisionResult = route({
  method: 'GET',
  path: '/api/audit/decisions/:id/upstream',
  right: { permission: 'journal:lire' },
  summary:
    "Shows the provider's answer to the call of a decision. The decision's own status says whether the call was allowed.",
  answers: '200 `{upstream}`: at, provider, status, fault; null if unknown',
  handle: async ({ parameters, services }) =>
    okResponse({ upstream: (await readEngineResult(services.database, parameters.id)) ?? null }),
});

/** Errors by endpoint and provider, beside the consumption. */
export const engineErrors = route({
  method: 'GET',
  path: '/api/engine-results',
  right: { permission: 'usage:lire-l-instance' },
  summary:
    'Counts the calls of each endpoint and provider in a period, and how many failed at the provider, by status. `model` is what the endpoint serves now; of a `subject`, only the failed calls are known.',
  answers: '200 `{engines}`: endpoint, provider, calls, failed, statuses',
  query: z.strictObject({ ...period, ...ENGINE_FILTERS }),
  handle: async ({ query, services }) =>
    okResponse({ engines: await listEngineErrors(services.database, filterOf(query, ENGINE_FILTER_NAMES)) }),
});
