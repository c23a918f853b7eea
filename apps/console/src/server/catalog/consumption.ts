import {
  CONSUMPTION_BY,
  listConsumption,
  readConsumptionSeries,
  readOverview,
  STRETCHES,
} from '@gateway/database/console';
import * as z from 'zod';
import { okResponse } from '../http/answers.ts';
import { filterOf, period } from '../input/fields.ts';
import { paging } from '../input/page.ts';
import { exporting, listOrExport } from '../routing/list-or-export.ts';
import { type Route, route } from '../routing/route.ts';
import { ENGINE_FILTER_NAMES, ENGINE_FILTERS } from './providers.ts';

const COLUMNS = [
  'name',
  'calls',
  'inputTokens',
  'cachedInputTokens',
  'outputTokens',
  ...['latencyMs', 'firstTokenMs'].flatMap((time) => ['p50', 'p95', 'p99'].map((part) => `${time}.${part}`)),
];

/** Calls, tokens and times, in both builds. Nothing of it is billed. */
const list = route({
  method: 'GET',
  path: '/api/consumption',
  right: { permission: 'usage:lire-l-instance' },
  summary:
    'Sums calls, tokens and times in milliseconds by endpoint, model (its slug) or subject, the most calls first. `firstTokenMs` is the time to the first byte of the body; null without one. Filter: period.',
  answers: '200 `{rows, next}`',
  query: z.strictObject({
    ...paging('rows', z.tuple([z.number(), z.string()])),
    ...exporting,
    ...period,
    by: z.enum(CONSUMPTION_BY, 'must be endpoint, model or subject'),
  }),
  handle: (call) =>
    listOrExport(call, {
      plural: 'rows',
      columns: COLUMNS,
      select: (sql, page) => {
        const { by, from = null, until = null } = call.query;
        return listConsumption(sql, { by, from, until }, page);
      },
      keyOf: ({ calls, name }) => [calls, name],
    }),
});

const series = route({
  method: 'GET',
  path: '/api/consumption/series',
  right: { permission: 'usage:lire-l-instance' },
  summary:
    'Shows calls, tokens, times in milliseconds and failed calls over time, by hour, day or month (UTC), the last 75 steps of the period. `parts` are the five endpoints, models or subjects with the most tokens; null is all others.',
  answers:
    '200 `{steps, parts}`: at, calls, inputTokens, outputTokens, latencyMs, firstTokenMs, failed; at, name, calls, tokens',
  query: z.strictObject({
    ...period,
    ...ENGINE_FILTERS,
    by: z.enum(CONSUMPTION_BY, 'must be endpoint, model or subject').default('endpoint'),
    stretch: z.enum(STRETCHES, 'must be hour, day or month').default('day'),
  }),
  handle: async ({ query, services }) => {
    const { by, stretch } = query;
    return okResponse(
      await readConsumptionSeries(services.database, { by, stretch, ...filterOf(query, ENGINE_FILTER_NAMES) }),
    );
  },
});

export const consumptionRoutes: readonly Route[] = [list, series];

/** Numbers for the first look. They name nobody. */
export const overview = route({
  method: 'GET',
  path: '/api/overview',
  right: { permission: 'console:administrer-l-instance' },
  summary:
    'Counts declarations, roles, and the calls, refusals and engine failures of the last hour and day. A count stops at 100,000. It names nobody.',
  answers: '200 object of numbers',
  handle: async ({ services }) => okResponse(await readOverview(services.database)),
});
