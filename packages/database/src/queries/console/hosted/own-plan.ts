import type { Queryable } from '../../../client/connect.ts';
import { cost } from './cost.ts';

/** The plan of an account, with what it spent in the current month (UTC), in euros. */
export interface OwnPlan {
  readonly name: string;
  readonly monthlyCap: number | null;
  readonly spent: number;
}

/** Null where no plan is attached, or there is no such account. */
export async function readOwnPlan(sql: Queryable, subject: string): Promise<OwnPlan | null> {
  const [row] = await sql<OwnPlan[]>`
    select plan.name, plan.monthly_cap::float8 as "monthlyCap", coalesce((
      select sum(${cost(sql)}) from usage_totals used left join model_prices price on price.model_id = used.model_id
      where used.subject = account.username and used.month = date_trunc('month', now() at time zone 'UTC')::date
    ), 0)::float8 as spent
    from accounts account join plans plan on plan.id = account.plan_id where account.username = ${subject}`;
  return row ?? null;
}
