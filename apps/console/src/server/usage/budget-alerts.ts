import { BUDGET_ALERT_AUTHOR } from '@gateway/contract';
import { addDueBudgetAlerts, inAct } from '@gateway/database/administration';
import { listBudgetAlerts } from '@gateway/database/console/hosted';
import * as z from 'zod';
import { exporting } from '../export/format.ts';
import { listOrExport } from '../export/list-or-export.ts';
import { exactly, filterOf, instant, searchText } from '../input/filter.ts';
import { sortedPagingSchema } from '../input/page.ts';
import { route } from '../routing/route.ts';
import type { BackgroundJob } from '../services/background-jobs.ts';

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
