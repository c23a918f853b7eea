import { v7 as uuid } from 'uuid';
import type { Queryable } from '../client/connect.ts';
import { firstSubjectOf, lineageOf } from '../client/lineage.ts';
import { insertDueBudgetAlerts } from '../queries/console/hosted/spending-caps.ts';
import type { Organization } from '../queries/console/subjects.ts';
import { type Act, onlyRow } from './act.ts';

export type NamedOrganization = Pick<Organization, 'id' | 'slug' | 'name'>;

/** Creates an organization, which has no policy yet. @returns undefined where the slug is in use */
export async function createOrganization(
  { sql, record }: Act,
  { slug, name }: Pick<Organization, 'slug' | 'name'>,
): Promise<NamedOrganization | undefined> {
  const after = { id: uuid(), slug, name };
  const made = await sql`insert into organizations ${sql(after)} on conflict (slug) do nothing returning id`;
  if (made.length === 0) return undefined;
  record({ action: 'organization.create', target: `organization:${slug}`, before: null, after });
  return after;
}

export async function renameOrganization(
  { sql, record }: Act,
  { id }: Pick<Organization, 'id'>,
  name: string,
): Promise<void> {
  // Locked, so that the log says what the name was.
  const before = onlyRow(
    await sql<NamedOrganization[]>`select id, slug, name from organizations where id = ${id} for update`,
  );
  await sql`update organizations set name = ${name} where id = ${id}`;
  record({
    action: 'organization.change',
    target: `organization:${before.slug}`,
    before,
    after: { ...before, name },
  });
}

export type Standing =
  | { readonly session: string; readonly standing: 'in force' }
  | {
      readonly session: string;
      readonly standing: 'revoked';
      readonly revokedAt: string;
      /** The session that was revoked: this one, or one it descends from. */
      readonly revokedSession: string;
      readonly author: string;
      readonly reason: string;
    };

/**
 * Whether a session, or one of its ancestors, is revoked; meant is the session of the subject that first named a parent for it.
 * An unrevoked or unknown session is in force (workstation-9).
 */
export async function readStanding(sql: Queryable, session: string): Promise<Standing> {
  const [row] = await sql.unsafe<{ revokedSession: string; author: string; reason: string; revokedAt: Date }[]>(
    `with ${lineageOf(firstSubjectOf('$1::text'), '$1::text')}
    select session as "revokedSession", author, reason, revoked_at as "revokedAt"
    from lineage join agent_session_revocations using (session) order by revoked_at limit 1`,
    [session],
  );
  if (!row) return { session, standing: 'in force' };
  return { session, standing: 'revoked', ...row, revokedAt: row.revokedAt.toISOString() };
}

/**
 * Accepts what a key signs, from now on and before (log-6). The privileges of the database allow it to the owner alone.
 * @returns false where it is endorsed already; null where no such key is registered
 */
export async function endorseSigningKey({ sql, author, record }: Act, fingerprint: string): Promise<boolean | null> {
  const [key] = await sql<{ component: string; isEndorsed: boolean }[]>`
    select component, endorsed_at is not null as "isEndorsed" from signing_keys where id = ${fingerprint} for update`;
  if (key === undefined) return null;
  if (key.isEndorsed) return false;
  await sql`update signing_keys set endorsed_at = now(), endorsed_by = ${author} where id = ${fingerprint}`;
  const { component } = key;
  record({
    action: 'signing-key.endorse',
    target: `signing-key:${fingerprint}`,
    before: { component, endorsed: false },
    after: { component, endorsed: true },
  });
  return true;
}

/** Adds the budget alerts that are due, at most `limit` (console-25). @returns how many */
export async function addDueBudgetAlerts({ sql, record }: Act, limit: number): Promise<number> {
  const due = await insertDueBudgetAlerts(sql, limit);
  for (const { subject, month, threshold, plan, cap, spent } of due) {
    const after = { month, threshold, plan, cap, spent };
    record({ action: 'budget.alert', target: `subject:${subject}`, before: null, after });
  }
  return due.length;
}
