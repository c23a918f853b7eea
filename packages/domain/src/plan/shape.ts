import { name, slug } from '@gateway/contract/fields';
import * as z from 'zod';

const threshold = z.int('must be a whole number').min(1, 'must not be below 1').max(100, 'must not be above 100');
const isRising = (list: readonly number[]): boolean => list.every((one, at) => at === 0 || one > (list[at - 1] ?? 0));

/**
 * The members of a plan. The cap is euros a calendar month; null for no cap (console-21). Alert thresholds are percent of the cap
 * (console-25).
 */
export const planFields = {
  slug,
  name,
  monthlyCap: z
    .number('must be a number of euros, or null for no cap')
    .min(0, 'must not be below 0')
    .max(1_000_000_000, 'must not be above 1000000000')
    .nullable(),
  alertThresholds: z
    .array(threshold, 'must be a list of percentages, such as [80, 100]')
    .max(10, 'must not have more than 10 entries')
    .refine(isRising, 'must rise, each percentage once'),
};

/** The same of a new plan, and of one in a file: members with a default may be left out. */
export const newPlanFields = { ...planFields, alertThresholds: planFields.alertThresholds.default([]) };
