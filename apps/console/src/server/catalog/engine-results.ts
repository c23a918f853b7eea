import { listEngineErrors, listProviderHealth, readEngineResult } from '@gateway/database/console';
import * as z from 'zod';
import { okResponse } from '../http/answers.ts';
import { exactly, filterOf, period } from '../input/filter.ts';
import { route } from '../routing/route.ts';

export const ENGINE_FILTERS = { endpoint: exactly, model: exactly, provider: exactly, subject: exactly };
export const ENGINE_FILTER_NAMES = ['endpoint', 'model', 'provider', 'subject', 'from', 'until'] as const;

/** Results of engines, for the people who declare them. */
export const providerHealth = route({
  method: 'GET',
  path: '/api/providers/health',
  right: { permission: 'fournisseurs:administrer' },
  summary:
    'Shows the last result of each provider, and the failed calls of the last hour. A call failed if it has no answer, an interrupted one, or a status from 400.',
  answers: '200 `{health}`: provider, last, lastFailure, callsLastHour, failedLastHour',
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
