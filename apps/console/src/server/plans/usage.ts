import { listUsage, readUsageNames, summarizeUsage } from '@gateway/database/console/hosted';
import * as z from 'zod';
import { okResponse } from '../http/answers.ts';
import { exactly, filterOf, instant, period } from '../input/fields.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { exporting, listOrExport } from '../routing/list-or-export.ts';
import { type Route, route } from '../routing/route.ts';

const COLUMNS = [
  'timestamp',
  'subject',
  'endpoint',
  'model',
  'provider',
  'inputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'outputTokens',
  'cost',
  'pricedAs',
  'inputPrice',
  'cachedInputPrice',
  'cacheWritePrice',
  'outputPrice',
  'latencyMs',
  'usageSource',
  'interrupted',
  'id',
];
const filters = { ...period, subject: exactly, endpoint: exactly, model: exactly, provider: exactly };
const FILTERS = ['subject', 'endpoint', 'model', 'provider', 'from', 'until'] as const;
const pages = sortedPagingSchema('usage', z.tuple([instant, z.guid()]), {
  usual: '-timestamp',
  columns: {
    subject: 'text',
    endpoint: 'text',
    model: 'text',
    inputTokens: 'float8',
    cachedInputTokens: 'float8',
    cacheWriteTokens: 'float8',
    outputTokens: 'float8',
    cost: 'float8',
    latencyMs: 'float8',
  },
});
const stretch = z.enum(['hour', 'day', 'month'], 'must be hour, day or month').default('day');

const list = route({
  method: 'GET',
  path: '/api/usage',
  right: 'shared-pair',
  exportRight: 'usage:lire-l-instance',
  summary:
    "Lists the usage records, the newest first, with their cost in euros and their prices. `pricedAs` is `current` in the current month, and `month-end` for the last prices of a closed month. Filters: subject, endpoint, model, the model's provider, and period.",
  answers: '200 `{usage, next}`',
  query: z.strictObject({ ...pages, ...exporting, ...filters }),
  handle: (call) =>
    listOrExport(call, {
      plural: 'usage',
      columns: COLUMNS,
      select: (sql, page) => listUsage(sql, { project: null, ...filterOf(call.query, FILTERS) }, page),
      keyOf: (row) => [row.timestamp, row.id],
    }),
});

const names = route({
  method: 'GET',
  path: '/api/usage/filters',
  right: 'shared-pair',
  summary:
    'Lists the subjects, endpoints and models of the usage records. Each model has its provider (null: deleted).',
  answers: '200 `{subjects, endpoints, models}`',
  handle: async ({ services }) => okResponse(await readUsageNames(services.database)),
});

const summary = route({
  method: 'GET',
  path: '/api/usage/summary',
  right: { permission: 'usage:lire-l-instance' },
  summary:
    'Sums the usage of the instance: totals, a series, and parts by endpoint, model and subject. The series is by hour (the last 3 days of the period), day (the last 62) or month (UTC). The parts are the 500 most expensive of each; `counts` has their real numbers.',
  answers: '200 `{totals, series, endpoints, models, subjects, counts}`',
  query: z.strictObject({ ...filters, stretch }),
  handle: async ({ query, services }) =>
    okResponse(await summarizeUsage(services.database, { project: null, ...filterOf(query, FILTERS) }, query.stretch)),
});

const own = route({
  method: 'GET',
  path: '/api/usage/own',
  right: { permission: 'usage:lire-le-sien' },
  summary: "Lists the caller's own usage records, the newest first. The shared pair has none.",
  answers: '200 `{usage, next}`',
  query: z.strictObject({ ...pages, ...period, endpoint: exactly, model: exactly, provider: exactly }),
  handle: (call) =>
    listOrExport(call, {
      plural: 'usage',
      columns: COLUMNS,
      select: (sql, page) => {
        // No subject is empty: this one chooses nothing.
        const subject = call.caller.kind === 'subject' ? call.caller.subject : '';
        const filter = filterOf(call.query, ['endpoint', 'model', 'provider', 'from', 'until']);
        return listUsage(sql, { project: null, ...filter, subject }, page);
      },
      keyOf: (row) => [row.timestamp, row.id],
    }),
});

const ofProject = route({
  method: 'GET',
  path: '/api/projects/:project/usage',
  right: { permission: 'usage:lire-le-projet', inProject: true },
  summary: "Sums the usage of a project's members as `GET /api/usage/summary` does.",
  answers: '200 `{totals, series, endpoints, models, subjects, counts}`',
  query: z.strictObject({ ...filters, stretch }),
  handle: async ({ parameters, query, services }) =>
    okResponse(
      await summarizeUsage(
        services.database,
        { project: parameters.project, ...filterOf(query, FILTERS) },
        query.stretch,
      ),
    ),
});

export const usageRoutes: readonly Route[] = [list, names, summary, own, ofProject];
