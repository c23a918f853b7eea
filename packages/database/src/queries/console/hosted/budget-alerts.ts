import type { Queryable } from '../../../client/connect.ts';
import { all, holds, whenPresent } from '../conditions.ts';
import { addPosition, type InstantKey, type Page, type Rows, reading } from '../pages.ts';
import { cost, pricesOf } from './cost.ts';

/** An account's spending reached a threshold of its plan (console-25); euros, percent of the cap. */
export interface BudgetAlert {
  readonly id: string;
  readonly at: Date;
  readonly subject: string;
  /** Its first day, UTC. */
  readonly month: string;
  readonly threshold: number;
  /** Slug of the plan. */
  readonly plan: string;
  readonly cap: number;
  readonly spent: number;
}

const columns = (sql: Queryable) => sql`
  id, at, subject, month::text as month, threshold, plan, cap::float8 as cap, spent::float8 as spent`;

/**
 * Adds the alerts that are due, at most `limit`. The table's unique key adds each of them once, even with several consoles. For a
 * day after its end, the previous month is checked too, at its final prices.
 */
export function insertDueBudgetAlerts(sql: Queryable, limit: number): Promise<readonly BudgetAlert[]> {
  const month = (at: 'now' | 'yesterday') => sql`
    date_trunc('month', (now() - ${at === 'now' ? '0 days' : '1 day'}::interval) at time zone 'UTC')::date`;
  return sql<BudgetAlert[]>`
    insert into budget_alerts (subject, month, threshold, plan, cap, spent)
    select spending.subject, spending.month, due.threshold, plan.slug, plan.monthly_cap, spending.spent
    from (
      select used.subject, used.month, sum(${cost(sql)}) as spent from usage_totals used ${pricesOf(sql, sql`used.month`)}
      where used.month in (${month('now')}, ${month('yesterday')}) group by used.subject, used.month
    ) spending
    join accounts account on account.username = spending.subject
    join plans plan on plan.id = account.plan_id and plan.monthly_cap > 0
    cross join unnest(plan.alert_thresholds) as due (threshold)
    where spending.spent * 100 >= plan.monthly_cap * due.threshold and not exists (
      select from budget_alerts past
      where (past.subject, past.month, past.threshold) = (spending.subject, spending.month, due.threshold))
    order by spending.subject, spending.month, due.threshold limit ${limit}
    on conflict do nothing returning ${columns(sql)}`;
}

/** Alerts, the newest first. */
export function listBudgetAlerts(
  sql: Queryable,
  filter: { subject: string | null; search: string | null },
  page: Page<InstantKey>,
): Rows<BudgetAlert> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(filter.search, (part) => holds(sql, 'subject', part)),
    whenPresent(page.after, ([at, id]) => sql`(at, id) ${past} (${at}::timestamptz, ${id}::uuid)`),
  ]);
  return addPosition(
    sql,
    sql`select ${columns(sql)} from budget_alerts where ${chosen}`,
    sql`at ${way}, id ${way}`,
    page,
  );
}
