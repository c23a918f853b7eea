import { deletePlan, insertPlan, listPlans, lockPlan, type Plan, updatePlan } from '@gateway/database/console/hosted';
import { v7 as uuid } from 'uuid';
import * as z from 'zod';
import { administer } from '../administer.ts';
import { created, deleted, referredTo, shown, taken, unknown } from '../answers.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { present } from '../input/present.ts';
import { name, slug } from '../input/text.ts';
import { route } from '../route.ts';

const right = 'shared-pair';
const target = ({ slug }: Plan) => `plan:${slug}`;

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

const create = route({
  method: 'POST',
  path: '/api/plans',
  right,
  summary: 'Creates a plan. The cap is euros a calendar month (UTC); null means no cap.',
  answers: '201 plan',
  body: z.strictObject({ slug, name, monthlyCap }),
  async handle(call) {
    const plan: Plan = { id: uuid(), ...call.body };
    const outcome = await administer(call, async ({ sql, record }) => {
      await insertPlan(sql, plan);
      await record({ action: 'plan.create', target: target(plan), before: null, after: plan });
    });
    return 'violated' in outcome ? taken('plan', 'slug') : created(plan);
  },
});

const change = route({
  method: 'PATCH',
  path: '/api/plans/:id',
  right,
  summary: 'Changes a plan. A cap below what was spent refuses the next call.',
  answers: '200 plan',
  body: z.strictObject({ slug, name, monthlyCap }).partial(),
  async handle(call) {
    const outcome = await administer<Plan, 'absent'>(call, async (at) => {
      const before = (await lockPlan(at.sql, call.parameters.id)) ?? at.abandon('absent');
      const after: Plan = { ...before, ...present(call.body) };
      await updatePlan(at.sql, after);
      await at.record({ action: 'plan.change', target: target(before), before, after });
      return after;
    });
    if ('violated' in outcome) return taken('plan', 'slug');
    return 'done' in outcome ? shown(outcome.done) : unknown('plan');
  },
});

const remove = route({
  method: 'DELETE',
  path: '/api/plans/:id',
  right,
  summary: 'Deletes a plan that no account is on.',
  answers: '204',
  async handle(call) {
    const outcome = await administer<void, 'absent'>(call, async (at) => {
      const before = (await lockPlan(at.sql, call.parameters.id)) ?? at.abandon('absent');
      await deletePlan(at.sql, before.id);
      await at.record({ action: 'plan.delete', target: target(before), before, after: null });
    });
    if ('violated' in outcome) return referredTo('plan', 'an account');
    return 'done' in outcome ? deleted() : unknown('plan');
  },
});

export const planRoutes = [list, create, change, remove];
