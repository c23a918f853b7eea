import type { Queryable } from '@gateway/database';
import { all, holds, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, type InstantKey, type Page, type Rows, reading } from '@gateway/database/client/pages';
import { cost, pricesOf } from './console.ts';

/** An account's share of its cap in the current UTC calendar month; euros (console-22). */
export interface SpendingCap {
  readonly id: string;
  readonly username: string;
  readonly plan: { readonly id: string; readonly slug: string; readonly name: string } | null;
  readonly monthlyCap: number | null;
  readonly spent: number;
  /** Spent ÷ cap; null where there is no cap. From 1 on the account is refused. */
  readonly share: number | null;
  /** The highest threshold with an alert in this month, percent; null for none (console-25). */
  readonly alerted: number | null;
  /** Its sort key in the list: the share, -1 without a cap. Part of the key of a page. */
  readonly rank: number;
}

/** Accounts by their share of the cap, the highest first, those without a cap last. */
export function listSpendingCaps(
  sql: Queryable,
  filter: { search: string | null; plan: string | null },
  page: Page<readonly [rank: number, username: string]>,
): Rows<SpendingCap> {
  const chosen = all(sql, [
    whenPresent(filter.search, (text) => holds(sql, 'account.username', text)),
    whenPresent(filter.plan, (plan) => sql`account.plan_id = ${plan}`),
  ]);
  // The rank falls along the list, and the names of one rank rise.
  const down = reading(sql, 'descending', page);
  const up = reading(sql, 'ascending', page);
  const after = all(sql, [
    whenPresent(
      page.after,
      ([rank, username]) =>
        sql`(rank ${down.past} ${rank}::float8 or (rank = ${rank}::float8 and username ${up.past} ${username}))`,
    ),
  ]);
  const month = sql`date_trunc('month', now() at time zone 'UTC')::date`;
  const ranked = sql`
    select * from (
      select account.id, account.username, account.plan_id, plan.name as plan, plan.monthly_cap::float8 as "monthlyCap",
        coalesce(used.spent, 0) as spent, case when plan.monthly_cap is null then -1 when plan.monthly_cap = 0 then 1
          else coalesce(used.spent, 0) / plan.monthly_cap::float8 end as rank
      from accounts account left join plans plan on plan.id = account.plan_id left join (
        select used.subject, sum(${cost(sql)})::float8 as spent
        from usage_totals used left join model_prices price on price.model_id = used.model_id
        where used.month = ${month} group by used.subject
      ) used on used.subject = account.username
      where ${chosen}
    ) ranked where ${after}`;
  const order = sql`rank ${down.way}, username ${up.way}`;
  const keys = page.sorted == null ? sql`` : sql`, caps."sortValue", caps."sortTie"`;
  // What is shown of a plan is made for the rows of the page alone, after they were put in order.
  return sql`
    select caps.id, caps.username, caps."monthlyCap", caps.spent, nullif(caps.rank, -1) as share, caps.rank,
      (select max(threshold)::int from budget_alerts where subject = caps.username and month = ${month}) as alerted,
      case when plan.id is not null then json_build_object('id', plan.id, 'slug', plan.slug, 'name', plan.name) end as plan${keys}
    from (select row_number() over () as ordinal, page.* from (${addPosition(sql, ranked, order, page)}) page) caps
    left join plans plan on plan.id = caps.plan_id
    order by caps.ordinal`;
}

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

/** In the list. */
export interface ListedBudgetAlert extends BudgetAlert {
  /** The name of the plan now; null if no plan has the slug any more. */
  readonly planName: string | null;
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
): Rows<ListedBudgetAlert> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(filter.search, (part) => holds(sql, 'subject', part)),
    whenPresent(page.after, ([at, id]) => sql`(at, id) ${past} (${at}::timestamptz, ${id}::uuid)`),
  ]);
  return addPosition(
    sql,
    sql`
    select ${columns(sql)}, (select name from plans where slug = budget_alerts.plan) as "planName"
    from budget_alerts where ${chosen}`,
    sql`at ${way}, id ${way}`,
    page,
    'id',
    { plan: sql`coalesce(listed."planName", listed.plan)` },
  );
}
