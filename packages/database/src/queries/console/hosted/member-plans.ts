import type { Queryable } from '../../../client/connect.ts';
import { all, whenPresent } from '../conditions.ts';
import { addPosition, type Page, reading } from '../pages.ts';

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
