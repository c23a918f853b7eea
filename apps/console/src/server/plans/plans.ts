import { deletePlan, insertPlan, listPlans, lockPlan, type Plan, updatePlan } from '@gateway/database/console/hosted';
import * as z from 'zod';
import { shown } from '../answers.ts';
import { declarationRoutes } from '../catalog/declaration.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { name, slug } from '../input/text.ts';
import { route } from '../route.ts';

const right = 'shared-pair';

/** Euros a calendar month; null for no cap (specification, Plan). */
const monthlyCap = z
  .number('must be a number of euros, or null for no cap')
  .min(0, 'must not be below 0')
  .max(1_000_000_000, 'must not be above 1000000000')
  .nullable();

const list = route({
  method: 'GET',
  path: '/api/plans',
  right,
  summary: 'Lists the plans by slug.',
  answers: '200 `{plans, next}`',
  query: z.strictObject(paging('plans', z.tuple([z.string()]))),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listPlans(services.database, page);
    return shown(pageOf('plans', rows, page, (plan) => [plan.slug]));
  },
});

const declarations = declarationRoutes<Plan>({
  kind: 'plan',
  path: '/api/plans',
  right,
  named: 'slug',
  summaries: {
    create: 'Creates a plan. The cap is euros a calendar month (UTC); null means no cap.',
    change: 'Changes a plan. A cap below what was spent refuses the next call.',
    remove: 'Deletes a plan that no account is on.',
  },
  whole: z.strictObject({ slug, name, monthlyCap }),
  parts: z.strictObject({ slug, name, monthlyCap }).partial(),
  insert: insertPlan,
  lock: lockPlan,
  update: updatePlan,
  remove: deletePlan,
  referredToBy: 'an account',
});

export const planRoutes = [list, ...declarations];
