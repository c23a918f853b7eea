import { listOfNamed, slug } from '@gateway/contract/fields';
import type { Queryable } from '@gateway/database';
import { PLANS } from '@gateway/domain/plan/acts';
import { listPlans, type Plan } from '@gateway/domain/plan/console';
import { newPlanFields } from '@gateway/domain/plan/shape';
import * as z from 'zod';

/** The section of the plans, and the member of an account that names one: in the hosted build alone. */
const plan = z.strictObject(newPlanFields);
export const planSection = { plans: listOfNamed(plan, ({ slug }) => slug).optional() };
export const accountPlan = { plan: slug.nullable().default(null) };

/** Members that must be written where they are null. */
export const KEPT_NULLS: readonly string[] = ['monthlyCap'];

export const planActs = PLANS;
export const readPlans = (sql: Queryable): Promise<readonly Plan[]> => listPlans(sql, { limit: null, after: null });
