import * as z from 'zod';
import { name, slug } from './text.ts';

/** The members of a plan. The cap is euros a calendar month; null for no cap (console-21). */
export const planFields = {
  slug,
  name,
  monthlyCap: z
    .number('must be a number of euros, or null for no cap')
    .min(0, 'must not be below 0')
    .max(1_000_000_000, 'must not be above 1000000000')
    .nullable(),
};
