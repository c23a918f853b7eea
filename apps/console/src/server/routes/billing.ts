import { BUDGET_ALERT_AUTHOR } from '@gateway/contract';
import { inAct } from '@gateway/database/audit-log/act';
import { addDueBudgetAlerts, PLANS, setMemberPlan } from '@gateway/domain/plan/acts';
import {
  listMemberPlans,
  listPlans,
  lockMemberPlan,
  type MemberPlan,
  namesOfAccounts,
} from '@gateway/domain/plan/console';
import { listBudgetAlerts, listSpendingCaps } from '@gateway/domain/plan/console-spending';
import { newPlanFields, planFields } from '@gateway/domain/plan/shape';
import { listUsage, readUsageNames, summarizeUsage, USAGE_COLUMNS } from '@gateway/domain/usage/console-records';
import * as z from 'zod';
import { administer } from '../http/administer.ts';
import { faulty, okResponse, unknown } from '../http/answers.ts';
import type { BackgroundJob } from '../http/background-jobs.ts';
import { exactly, filterOf, instant, period, reference, searchText } from '../http/fields.ts';
import { exporting, listOrExport } from '../http/list-or-export.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../http/page.ts';
import { type Right, type Route, route } from '../http/route.ts';
import { declarationRoutes } from './declaration.ts';

const planRight = 'shared-pair';

const listPlansRoute = route({
  method: 'GET',
  path: '/api/plans',
  right: planRight,
  summary: 'Lists the plans by slug.',
  answers: '200 `{plans, next}`',
  query: z.strictObject(
    sortedPagingSchema('plans', z.tuple([z.string()]), {
      usual: 'slug',
      columns: { name: 'text', monthlyCap: 'float8' },
    }),
  ),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listPlans(services.database, page);
    return okResponse(pageOf('plans', rows, page, (plan) => [plan.slug]));
  },
});

const declarations = declarationRoutes({
  of: PLANS,
  path: '/api/plans',
  right: planRight,
  summaries: {
    create:
      'Creates a plan. The cap is euros a calendar month (UTC); null means no cap. At each of `alertThresholds`, percent of the cap, the console alerts once a month for each account.',
    change: 'Changes a plan. A cap below what was spent refuses the next call.',
    remove: 'Deletes a plan that no account is on.',
  },
  whole: z.strictObject(newPlanFields),
  parts: z.strictObject(planFields).partial(),
  referredToBy: 'an account',
  namesReferring: namesOfAccounts,
});

export const planRoutes = [listPlansRoute, ...declarations];

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
    'Lists the budget alerts, the newest first: whose spending of a month (UTC) reached which threshold, in percent of the cap. `plan` is the slug of the plan then, `planName` its name now. Filters: `subject`, and `search` for a part of it.',
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

const right: Right = { permission: 'membres:affecter-un-plan', inProject: true };

const listMemberPlansRoute = route({
  method: 'GET',
  path: '/api/projects/:project/member-plans',
  right,
  summary: 'Lists the plan of each member of a project, and all plans.',
  answers: '200 `{memberPlans, next, plans}`',
  query: z.strictObject(
    sortedPagingSchema('memberPlans', z.tuple([z.string()]), { usual: 'subject', columns: { plan: 'text' } }),
  ),
  async handle({ parameters, query, services }) {
    const page = pageAsked(query);
    const [rows, plans] = await Promise.all([
      listMemberPlans(services.database, parameters.project, page),
      listPlans(services.database, { limit: null, after: null }),
    ]);
    return okResponse({ ...pageOf('memberPlans', rows, page, ({ subject }) => [subject]), plans });
  },
});

const assign = route({
  method: 'PUT',
  path: '/api/projects/:project/members/:subject/plan',
  right,
  summary: 'Assigns a plan to a member, or removes it.',
  answers: '200 `{subject, plan}`',
  body: z.strictObject({ plan: reference.nullable() }),
  async handle(call) {
    const { project, subject } = call.parameters;
    const outcome = await administer<MemberPlan, 'absent'>(call, async (at) => {
      const before = (await lockMemberPlan(at.sql, project, subject)) ?? at.abandon('absent');
      return setMemberPlan(at, project, before, call.body.plan);
    });
    if ('violated' in outcome) return faulty({ plan: 'must be the id of one that exists' });
    return 'done' in outcome ? okResponse(outcome.done) : unknown('member');
  },
});

export const memberPlanRoutes: readonly Route[] = [listMemberPlansRoute, assign];

const COLUMNS = Object.keys(USAGE_COLUMNS);
const SORTED_BY = Object.entries(USAGE_COLUMNS).flatMap(([name, type]) =>
  type === null ? [] : [[name, type] as const],
);
const filters = { ...period, subject: exactly, endpoint: exactly, model: exactly, provider: exactly };
const FILTERS = ['subject', 'endpoint', 'model', 'provider', 'from', 'until'] as const;
const pages = sortedPagingSchema('usage', z.tuple([instant, z.guid()]), {
  usual: '-timestamp',
  columns: Object.fromEntries(SORTED_BY),
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
