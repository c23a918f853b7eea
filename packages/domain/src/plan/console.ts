import type { Queryable } from '@gateway/database';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { all, type Fragment, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, MOST_REFERRING, type Page, reading } from '@gateway/database/client/pages';

/** A plan for the console; the cap is euros a calendar month, null for none (console-21). */
export interface Plan {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly monthlyCap: number | null;
  /** Percent of the cap, rising (console-25). */
  readonly alertThresholds: readonly number[];
}

const columns = (sql: Queryable) => sql`
  id, slug, name, monthly_cap::float8 as "monthlyCap", array_to_json(alert_thresholds) as "alertThresholds"`;

/** Plans by slug. */
export function listPlans(sql: Queryable, page: Page<readonly [slug: string]>): Promise<Plan[]> {
  const { past, way } = reading(sql, 'ascending', page);
  return addPosition<Plan>(
    sql,
    sql`
    select ${columns(sql)} from plans where ${all(sql, [whenPresent(page.after, ([slug]) => sql`slug ${past} ${slug}`)])}`,
    sql`slug ${way}`,
    page,
  );
}

export async function lockPlan(sql: Queryable, id: string): Promise<Plan | undefined> {
  const [row] = await sql<Plan[]>`select ${columns(sql)} from plans where id = ${id} for update`;
  return row;
}

function numeric(value: number | null): string | null {
  return value === null ? null : String(value);
}

export async function insertPlan(sql: Queryable, plan: Plan): Promise<void> {
  await sql`
    insert into plans (id, slug, name, monthly_cap, alert_thresholds)
    values (${plan.id}, ${plan.slug}, ${plan.name}, ${numeric(plan.monthlyCap)}::text::numeric,
      ${arrayLiteral(plan.alertThresholds)}::text::smallint[])`;
}

export async function updatePlan(sql: Queryable, plan: Plan): Promise<void> {
  await sql`
    update plans set slug = ${plan.slug}, name = ${plan.name}, monthly_cap = ${numeric(plan.monthlyCap)}::text::numeric,
      alert_thresholds = ${arrayLiteral(plan.alertThresholds)}::text::smallint[]
    where id = ${plan.id}`;
}

export async function deletePlan(sql: Queryable, id: string): Promise<void> {
  await sql`delete from plans where id = ${id}`;
}

/** The first accounts of a plan, by username. */
export async function namesOfAccounts(sql: Queryable, plan: string): Promise<readonly string[]> {
  const rows = await sql<{ username: string }[]>`
    select username from accounts where plan_id::text = ${plan} order by username limit ${MOST_REFERRING}`;
  return rows.map(({ username }) => username);
}

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

/** The plan of a project's member; null where it has none or no account. */
export interface MemberPlan {
  readonly subject: string;
  readonly plan: string | null;
}

/** A member in the list: without an account, no plan can be assigned yet. */
export type ListedMemberPlan = MemberPlan & { readonly registered: boolean };

/** Plans of the members of a project, by subject. */
export function listMemberPlans(
  sql: Queryable,
  project: string,
  page: Page<readonly [subject: string]>,
): Promise<ListedMemberPlan[]> {
  const { past, way } = reading(sql, 'ascending', page);
  const chosen = all(sql, [
    sql`member.project = ${project}`,
    whenPresent(page.after, ([subject]) => sql`member.subject ${past} ${subject}`),
  ]);
  return addPosition<ListedMemberPlan>(
    sql,
    sql`
    select member.subject, account.plan_id as plan, account.id is not null as registered
    from project_members member left join accounts account on account.username = member.subject
    where ${chosen}`,
    sql`member.subject ${way}`,
    page,
    'subject',
    { plan: sql`(select name from plans where id = listed.plan)` },
  );
}

/** The account of a project's member with its plan, locked; undefined for no member or no account. */
export async function lockMemberPlan(
  sql: Queryable,
  project: string,
  subject: string,
): Promise<MemberPlan | undefined> {
  const [row] = await sql<MemberPlan[]>`
    select account.username as subject, account.plan_id as plan from accounts account
    where account.username = ${subject}
      and exists (select from project_members where project = ${project} and subject = ${subject}) for update`;
  return row;
}

/**
 * Euros for the tokens of a row called `used` at the prices of a row called `price` (console-22, console-24). Without a price,
 * such as for a model deleted before prices were stored, the cost is zero.
 */
export const cost = (sql: Queryable): Fragment => sql`coalesce(
  (used.input_tokens - used.cached_input_tokens - used.cache_write_tokens) * price.per_input_token
  + used.cached_input_tokens * price.per_cached_token + used.cache_write_tokens * price.per_write_token
  + used.output_tokens * price.per_output_token, 0)`;

/** Joins the prices of a row's month as `price`: those of now in the current month, those it ended with in a closed one. */
export const pricesOf = (sql: Queryable, month: Fragment): Fragment => sql`
  left join price_periods price on price.model_id = used.model_id and price.starts <= ${month} and ${month} < price.ends`;
