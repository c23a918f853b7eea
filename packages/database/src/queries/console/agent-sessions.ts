import type { Queryable } from '../../client/connect.ts';
import { lineageOf, REVOKED_DESCENDANTS } from '../../client/lineage.ts';
import { all, holds, whenPresent } from './conditions.ts';
import { addPosition, type Page, type Rows, reading } from './pages.ts';

/** An agent session as administrators see it (workstation-9). */
export interface AgentSession {
  readonly session: string;
  readonly subject: string | null;
  readonly parents: readonly string[];
  readonly acts: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly standing: 'in force' | 'revoked';
  /** The session itself or the ancestor that is revoked; null where it is in force. */
  readonly revocation: null | {
    readonly session: string;
    readonly revokedAt: string;
    readonly author: string;
    readonly reason: string;
  };
}

export interface SessionFilter {
  readonly session: string | null;
  readonly subject: string | null;
  /** Parts of them. */
  readonly sessionPart: string | null;
  readonly subjectPart: string | null;
  /** By the standing: a session below a revoked one is revoked too. */
  readonly revoked: boolean | null;
}

const isRevoked = (sql: Queryable) => sql`(session in (select session from agent_session_revocations)
  or (coalesce(subject, ''), session) in (${sql.unsafe(REVOKED_DESCENDANTS)}))`;

/** The array is read once and looked up by index: revoked sessions are few, sessions many. */
const amongRevoked = (sql: Queryable) => sql`session = any(array(
    select session from agent_session_revocations
    union select session from (${sql.unsafe(REVOKED_DESCENDANTS)}) descendants
  )) and ${isRevoked(sql)}`;

/**
 * Sessions, the one with the latest act first. The revocation of a session and of its ancestors is read at this moment, as the
 * relay does: a sub-agent that appears after the revocation is revoked, too.
 */
export function listAgentSessions(
  sql: Queryable,
  filter: SessionFilter,
  page: Page<readonly [lastAt: string, session: string]>,
): Rows<AgentSession> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(filter.session, (session) => sql`session = ${session}`),
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(filter.sessionPart, (part) => holds(sql, 'session', part)),
    whenPresent(filter.subjectPart, (part) => holds(sql, 'subject', part)),
    whenPresent(filter.revoked, (revoked) => (revoked ? amongRevoked(sql) : sql`not ${isRevoked(sql)}`)),
    whenPresent(page.after, ([at, session]) => sql`(last_at, session) ${past} (${at}::timestamptz, ${session})`),
  ]);
  const rows = addPosition(
    sql,
    sql`select session, subject, acts::float8 as acts, first_at as "firstAt", last_at as "lastAt"
      from agent_sessions where ${chosen}`,
    sql`last_at ${way}, session ${way}`,
    page,
    'session',
  );
  const keys = page.sorted == null ? sql`` : sql`, page."sortValue", page."sortTie"`;
  return sql`
    select page.session, page.subject, page.acts, page."firstAt", page."lastAt"${keys}, case when revocation is null then 'in force' else 'revoked' end as standing, revocation,
      array(
        select parent_session from agent_session_lineage stated
        where stated.session = page.session and stated.subject = page.subject
      ) as parents
    from (
      select row_number() over () as ordinal, rows.* from (${rows}) rows
    ) page left join lateral (
      with ${sql.unsafe(lineageOf('page.subject', 'page.session'))}
      select json_build_object('session', r.session, 'author', r.author, 'reason', r.reason,
        'revokedAt', to_char(r.revoked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as revocation
      from agent_session_revocations r join lineage using (session) order by r.revoked_at limit 1
    ) r on true
    order by ordinal`;
}

/** A revocation of exactly this session. */
export interface SessionRevocation {
  readonly session: string;
  readonly reason: string;
  readonly author: string;
  readonly revokedAt: Date;
}

export async function readSessionRevocation(sql: Queryable, session: string): Promise<SessionRevocation | undefined> {
  const [row] = await sql<SessionRevocation[]>`
    select session, reason, author, revoked_at as "revokedAt" from agent_session_revocations where session = ${session}`;
  return row;
}
