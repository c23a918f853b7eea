import { listSpendingCaps } from '@gateway/database/console/hosted';
import * as z from 'zod';
import { exporting } from '../export/format.ts';
import { listOrExport } from '../export/list-or-export.ts';
import { filterOf, searchText } from '../input/filter.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { reference } from '../input/reference.ts';
import { route } from '../routing/route.ts';

export const spendingCaps = route({
  method: 'GET',
  path: '/api/spending-caps',
  right: 'shared-pair',
  exportRight: 'usage:lire-l-instance',
  summary: 'Lists the accounts with their spending of this month (UTC), those nearest to their cap first.',
  answers: '200 `{spendingCaps, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('spendingCaps', z.tuple([z.number(), z.string()]), {
      usual: '-share',
      columns: { username: 'text', plan: 'text', monthlyCap: 'float8', spent: 'float8' },
    }),
    ...exporting,
    search: searchText,
    plan: reference.optional(),
  }),
  handle: (call) =>
    listOrExport(call, {
      plural: 'spendingCaps',
      columns: ['username', 'plan.slug', 'monthlyCap', 'spent', 'share', 'alerted', 'id'],
      select: (sql, page) => listSpendingCaps(sql, filterOf(call.query, ['search', 'plan']), page),
      keyOf: ({ rank, username }) => [rank, username],
    }),
});
