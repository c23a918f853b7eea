import { planFields } from '@gateway/access/declarations/plan';
import { PLANS } from '@gateway/database/administration';
import { listPlans, namesOfAccounts } from '@gateway/database/console/hosted';
import * as z from 'zod';
import { declarationRoutes } from '../catalog/declaration.ts';
import { okResponse } from '../http/answers.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { route } from '../routing/route.ts';

const right = 'shared-pair';

const list = route({
  method: 'GET',
  path: '/api/plans',
  right,
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

const declarations = declarationRoutes<'plan'>({
  of: PLANS,
  path: '/api/plans',
  right,
  summaries: {
    create:
      'Creates a plan. The cap is euros a calendar month (UTC); null means no cap. At each of `alertThresholds`, percent of the cap, the console alerts once a month for each account.',
    change: 'Changes a plan. A cap below what was spent refuses the next call.',
    remove: 'Deletes a plan that no account is on.',
  },
  whole: z.strictObject({ ...planFields, alertThresholds: planFields.alertThresholds.default([]) }),
  parts: z.strictObject(planFields).partial(),
  referredToBy: 'an account',
  namesReferring: namesOfAccounts,
});

export const planRoutes = [list, ...declarations];
