import type { Queryable } from '@gateway/database';
import { subjectsWith } from '@gateway/database/audit-log/lists';
import { all, holds, whenPresent } from '@gateway/database/client/conditions';
import { addPosition, type InstantKey, type Page, type Rows, reading } from '@gateway/database/client/pages';
import { lineageOf, REVOKED_DESCENDANTS } from './lineage.ts';

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

/** An agent's command on the gateway: that it ran and how it ended, never its arguments or its output. */
export interface AgentCommand {
  readonly id: string;
  readonly subject: string;
  readonly session: string;
  readonly interpreter: string;
  readonly startedAt: Date;
  /** Null while it runs. */
  readonly endedAt: Date | null;
  readonly code: number | null;
  readonly signal: string | null;
  readonly cause: string | null;
  readonly fault: string | null;
  readonly durationMs: number | null;
  readonly stdoutBytes: number | null;
  readonly stderrBytes: number | null;
}

/** Commands, the newest first. */
export function listAgentCommands(
  sql: Queryable,
  filter: {
    id: string | null;
    subject: string | null;
    session: string | null;
    subjectPart: string | null;
    sessionPart: string | null;
    running: boolean | null;
  },
  page: Page<InstantKey>,
): Rows<AgentCommand> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(filter.id, (id) => sql`id = ${id}`),
    whenPresent(filter.subjectPart, (part) => holds(sql, 'subject', part)),
    whenPresent(filter.sessionPart, (part) => holds(sql, 'session', part)),
    whenPresent(filter.session, (session) => sql`session = ${session}`),
    whenPresent(filter.running, (running) => (running ? sql`ended_at is null` : sql`ended_at is not null`)),
    whenPresent(page.after, ([at, id]) => sql`(started_at, id) ${past} (${at}::timestamptz, ${id}::uuid)`),
  ]);
  return addPosition(
    sql,
    sql`
    select id, subject, session, interpreter, started_at as "startedAt", ended_at as "endedAt", code, signal, cause, fault,
      duration_ms::float8 as "durationMs", stdout_bytes::float8 as "stdoutBytes", stderr_bytes::float8 as "stderrBytes"
    from agent_commands left join agent_command_ends on command_id = id
    where ${chosen}`,
    sql`started_at ${way}, id ${way}`,
    page,
    'id',
    { end: sql`coalesce(listed.cause, listed.fault, listed.signal, listed.code::text)` },
  );
}

/** One tool call of an agent, as its workstation reported it: what it aimed at, never parameters or content. */
export interface AgentAct {
  readonly id: string;
  readonly session: string;
  readonly parentSession: string | null;
  readonly subject: string;
  readonly at: Date;
  readonly tool: string;
  readonly target: { readonly kind: string; readonly value: string };
  readonly authorizedBy: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly receivedAt: Date;
}

export interface ActFilter {
  readonly id: string | null;
  readonly session: string | null;
  readonly subject: string | null;
  /** Part of the name of a known subject, or the whole name of any other. */
  readonly subjectPart: string | null;
  readonly tool: string | null;
  readonly outcome: string | null;
  readonly from: string | null;
  readonly until: string | null;
}

/** Acts, the newest first. */
export function listAgentActs(sql: Queryable, filter: ActFilter, page: Page<InstantKey>): Rows<AgentAct> {
  const { past, way } = reading(sql, 'descending', page);
  const chosen = all(sql, [
    whenPresent(filter.id, (id) => sql`id = ${id}`),
    whenPresent(filter.session, (session) => sql`session = ${session}`),
    whenPresent(filter.subject, (subject) => sql`subject = ${subject}`),
    whenPresent(filter.subjectPart, (part) => sql`subject = any (${subjectsWith(sql, part)})`),
    whenPresent(filter.tool, (tool) => sql`tool = ${tool}`),
    // The rare outcomes have an index of their own, which needs to see that this one is among them.
    whenPresent(filter.outcome, (outcome) =>
      outcome === 'succeeded' ? sql`outcome = ${outcome}` : sql`outcome = ${outcome} and outcome <> 'succeeded'`,
    ),
    whenPresent(filter.from, (at) => sql`at >= ${at}::timestamptz`),
    whenPresent(filter.until, (at) => sql`at < ${at}::timestamptz`),
    whenPresent(page.after, ([at, id]) => sql`(at, id) ${past} (${at}::timestamptz, ${id}::uuid)`),
  ]);
  return addPosition(
    sql,
    sql`
    select id, session, parent_session as "parentSession", subject, at, tool,
      json_build_object('kind', target_kind, 'value', target_value) as target, authorized_by as "authorizedBy", outcome, reason,
      received_at as "receivedAt"
    from agent_acts where ${chosen}`,
    sql`at ${way}, id ${way}`,
    page,
    'id',
    { target: sql`listed.target ->> 'value'` },
  );
}
