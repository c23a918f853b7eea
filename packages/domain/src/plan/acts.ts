import type { Act, Changed, Changes } from '@gateway/database/audit-log/act';
import type { MemberPlan } from '@gateway/database/queries/console/hosted/plans';
import { memberTargetOf } from '../role/project-acts.ts';

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
