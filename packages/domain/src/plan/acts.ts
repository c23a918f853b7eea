import type { Act, Changed, Changes, Created, Declared } from '@gateway/database/audit-log/act';
import { memberTargetOf } from '../role/acts.ts';
import { deletePlan, insertPlan, lockPlan, type MemberPlan, type Plan, updatePlan } from './console.ts';
import { type BudgetAlert, insertDueBudgetAlerts } from './console-spending.ts';

type MemberPlanChange = Changes<{ readonly 'member.plan': Changed<MemberPlan> }>;

/** Gives the account of a member another plan, or none. */
export async function setMemberPlan(
  { sql, record }: Act<MemberPlanChange>,
  project: string,
  before: MemberPlan,
  plan: string | null,
): Promise<MemberPlan> {
  const { subject } = before;
  const after = { subject, plan };
  await sql`update accounts set plan_id = ${plan} where username = ${subject}`;
  record({ action: 'member.plan', target: memberTargetOf(project, subject), before, after });
  return after;
}

export const PLANS: Declared<'plan', Plan> = {
  kind: 'plan',
  named: 'slug',
  insert: insertPlan,
  lock: lockPlan,
  update: updatePlan,
  remove: deletePlan,
};

type BudgetAlertChange = Changes<{ readonly 'budget.alert': Created<Omit<BudgetAlert, 'id' | 'at' | 'subject'>> }>;

/** Adds the budget alerts that are due, at most `limit` (console-25). @returns how many */
export async function addDueBudgetAlerts({ sql, record }: Act<BudgetAlertChange>, limit: number): Promise<number> {
  const due = await insertDueBudgetAlerts(sql, limit);
  for (const { subject, month, threshold, plan, cap, spent } of due) {
    const after = { month, threshold, plan, cap, spent };
    record({ action: 'budget.alert', target: `subject:${subject}`, before: null, after });
  }
  return due.length;
}
