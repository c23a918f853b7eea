import { setMemberPlan } from '@gateway/database/administration';
import { listMemberPlans, listPlans, lockMemberPlan, type MemberPlan } from '@gateway/database/console/hosted';
import * as z from 'zod';
import { faulty, okResponse, unknown } from '../http/answers.ts';
import { reference } from '../input/fields.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { type Right, type Route, route } from '../routing/route.ts';

const right: Right = { permission: 'membres:affecter-un-plan', inProject: true };

const list = route({
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

export const memberPlanRoutes: readonly Route[] = [list, assign];
