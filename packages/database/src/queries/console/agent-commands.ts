import type { Queryable } from '../../client/connect.ts';
import { all, holds, whenPresent } from './conditions.ts';
import { subjectsWith } from './decisions.ts';
import { addPosition, type InstantKey, type Page, type Rows, reading } from './pages.ts';

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
