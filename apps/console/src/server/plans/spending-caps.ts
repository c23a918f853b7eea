import { BUDGET_ALERT_AUTHOR } from '@gateway/contract';
import { addDueBudgetAlerts, inAct } from '@gateway/database/administration';
import { listBudgetAlerts, listSpendingCaps } from '@gateway/database/console/hosted';
import * as z from 'zod';
import { exactly, filterOf, instant, reference, searchText } from '../input/fields.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { exporting, listOrExport } from '../routing/list-or-export.ts';
import { route } from '../routing/route.ts';
import type { BackgroundJob } from '../services/background-jobs.ts';

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

export const budgetAlerts = route({
  method: 'GET',
  path: '/api/budget-alerts',
  right: 'shared-pair',
  exportRight: 'usage:lire-l-instance',
  summary:
    'Lists the budget alerts, the newest first: whose spending of a month (UTC) reached which threshold, in percent of the cap. Filters: `subject`, and `search` for a part of it.',
  answers: '200 `{budgetAlerts, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('budgetAlerts', z.tuple([instant, z.guid()]), {
      usual: '-at',
      columns: { subject: 'text', plan: 'text', threshold: 'float8', spent: 'float8' },
    }),
    ...exporting,
    subject: exactly,
    search: searchText,
  }),
  handle: (call) =>
    listOrExport(call, {
      plural: 'budgetAlerts',
      columns: ['at', 'subject', 'month', 'threshold', 'plan', 'cap', 'spent', 'id'],
      select: (sql, page) => listBudgetAlerts(sql, filterOf(call.query, ['subject', 'search']), page),
      keyOf: ({ at, id }) => [at, id],
    }),
});

/** Alerts of one transaction: nobody else appends to the administration log before it ends. */
const MOST = 50;

/** Alerts once of each threshold that spending has reached, and records it in the administration log (console-25). */
export const budgetAlertJob: BackgroundJob = {
  name: 'alerting of budgets',
  every: 60_000,
  async run({ database, signer }) {
    const add = () =>
      database.begin((sql) =>
        inAct(sql, BUDGET_ALERT_AUTHOR, { component: 'console', signer }, (act) => addDueBudgetAlerts(act, MOST)),
      );
    while ((await add()) === MOST);
  },
};
