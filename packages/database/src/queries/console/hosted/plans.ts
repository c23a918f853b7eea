import { arrayLiteral } from '../../../client/array-literal.ts';
import type { Queryable } from '../../../client/connect.ts';
import { all, whenPresent } from '../conditions.ts';
import { addPosition, MOST_REFERRING, type Page, reading } from '../pages.ts';

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
