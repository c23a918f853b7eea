import { CONSUMPTION_BY, listConsumption } from '@gateway/database/console';
import * as z from 'zod';
import { exporting } from './export/format.ts';
import { listOrExport } from './export/list-or-export.ts';
import { period } from './input/filter.ts';
import { paging } from './input/page.ts';
import { route } from './routing/route.ts';

const COLUMNS = [
  'name',
  'calls',
  'inputTokens',
  'cachedInputTokens',
  'outputTokens',
  ...['latencyMs', 'firstTokenMs'].flatMap((time) => ['p50', 'p95', 'p99'].map((part) => `${time}.${part}`)),
];

/** Calls, tokens and times, in both builds. Nothing of it is billed. */
export const consumption = route({
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
