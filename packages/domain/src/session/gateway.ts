import { randomInt } from 'node:crypto';
import type { DatabaseAddress, Sql } from '@gateway/database';
import { rowsOf } from '@gateway/database/client/answers';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { createLink, type Link } from '@gateway/database/client/link';
import { revokedAt } from './lineage.ts';

/** First half of the advisory lock; the second half is the gateway's number. */
const LIFE = 727_005;

/** Seconds without a statement after which a gateway with open connections counts as dead: it is frozen. */
const SILENCE_SECONDS = 5;

/** Settings of a gateway's connections: a host that disappears silently loses them, and their locks, within ten seconds. */
const SHORT_SILENCE = {
  tcp_keepalives_idle: 4,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000, // keepalives do not work while an answer is not acknowledged
};

/** This gateway among those that run commands: any number, which no other one has by any likelihood. */
const newGatewayNumber = (): number => randomInt(1, 2 ** 31);

/**
 * A link whose connections each take the gateway's lock before any statement. The lock is shared, so that connections of one
 * gateway never wait for each other; no session takes it exclusively.
 */
function withHeartbeat(link: Link, gateway: number): Link {
  let holder: number | null = null;
  return {
    cut: () => link.cut(),
    run: (deadline, work) =>
      link.run(deadline, async (sql: Sql, connection) => {
        if (connection !== holder) {
          await sql`select pg_advisory_lock_shared(${LIFE}, ${gateway})`;
          holder = connection;
        }
        return work(sql, connection);
      }),
  };
}

/**
 * SQL: whether a gateway is alive. One of its connections has the lock and was used recently, because a gateway polls while it
 * runs commands. Another role's activity may be hidden; then only the lock decides.
 * @param gateway SQL of its number
 */
const isAlive = (gateway: string): string => `exists (
  select from pg_locks life left join pg_stat_activity activity on activity.pid = life.pid
  where life.locktype = 'advisory' and life.granted and life.classid = ${LIFE} and life.objid::bigint = ${gateway}
    and life.objsubid = 2 and life.database = (select oid from pg_database where datname = current_database())
    and coalesce(activity.state_change > clock_timestamp() - interval '${SILENCE_SECONDS} seconds', true)
)`;

/** A command as it starts. */
export interface AgentCommandStart {
  /** Of the decision that let it start. */
  readonly id: string;
  readonly subject: string;
  readonly session: string;
  readonly parentSession: string | null;
  readonly interpreter: string;
  readonly startedAt: Date;
}

/** How a command ended: never what it wrote. */
export interface AgentCommandEnd {
  readonly id: string;
  readonly endedAt: Date;
  readonly code: number | null;
  readonly signal: string | null;
  readonly cause: string | null;
  readonly fault: string | null;
  /** Milliseconds. */
  readonly duration: number;
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
}

/** The record of agent commands. Every function throws `DatabaseUnavailable` where the database gave no answer in time. */
export interface AgentCommands {
  /** The session's descent is stored, too: a revocation applies to it at once (workstation-10). */
  recordStart(start: AgentCommandStart): Promise<void>;
  /** Stores the parent of a subject's session in which no command may start. */
  recordDescent(owned: OwnedSession, parentSession: string): Promise<void>;
  /** Written once, even with several attempts. */
  recordEnd(end: AgentCommandEnd): Promise<void>;
  standings(query: StandingQuery): Promise<Standings>;
  /**
   * Requests the interruption of a subject's command from the gateway that runs it. @returns false where no such command runs;
   * without a heartbeat of its gateway, this waits a moment, because the gateway may reconnect.
   */
  askInterruption(command: string, subject: string): Promise<boolean>;
  /**
   * Commands without an end that no gateway seems to run now: their gateway has no heartbeat, perhaps after a lost connection, or
   * is this one, which does not have them. @param known commands that this gateway runs
   */
  orphans(known: readonly string[]): Promise<readonly string[]>;
  /**
   * Writes down that orphans ended with their gateway; one that comes back after all ends them.
   * @returns how many were still without an end
   */
  recordLost(commands: readonly string[]): Promise<number>;
  close(): void;
}

export interface AgentCommandsOptions {
  readonly address: DatabaseAddress;
  /** Milliseconds for one answer. */
  readonly budgetMs: number;
  /** Milliseconds for one answer about standings, which are polled again soon. */
  readonly standingsBudgetMs: number;
  /** Milliseconds in which the gateway of a command to interrupt may still send a heartbeat. Default 3000. */
  readonly patienceMs?: number;
}

/** Milliseconds between two looks for a heartbeat. */
const LOOK = 250;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Keeps the parent that a subject's command states, where it is the first. */
const lineage = (subject: string, session: string, parent: string): string => `
insert into agent_session_lineage (subject, session, parent_session, author)
select ${subject}::text, ${session}::text, ${parent}::text, ${subject}::text
where ${parent}::text <> ${session}::text and char_length(${subject}::text) <= 255 on conflict do nothing`;

/** The request also stays for a silent gateway: if it returns, it ends the command. */
const INTERRUPT = `
with asked as (
  insert into agent_command_interruptions (command_id)
  select command_id from running_agent_commands join agent_commands on id = command_id
  where command_id = $1::uuid and subject = $2
  on conflict do nothing
)
select ${isAlive('gateway')} as alive from running_agent_commands join agent_commands on id = command_id
where command_id = $1::uuid and subject = $2`;

const isOrphan = (own: string) => `(gateway = ${own}::integer or not ${isAlive('gateway')})`;

/** A gateway wrongly presumed dead finds the request, too: nothing continues whose end is recorded. */
const LOST = `
with lost as (
  delete from running_agent_commands where command_id = any ($1::uuid[]) and ${isOrphan('$2')}
  returning command_id
), ended as (
  insert into agent_command_ends (command_id, ended_at, cause) select command_id, now(), 'lost' from lost
  on conflict (command_id) do nothing
), wished as (
  insert into agent_command_interruptions (command_id) select command_id from lost on conflict do nothing
)
select count(*)::integer as lost from lost`;

export function createAgentCommands(options: AgentCommandsOptions): AgentCommands {
  const { address, budgetMs, standingsBudgetMs, patienceMs = 3000 } = options;
  const gateway = newGatewayNumber();
  const link = withHeartbeat(
    createLink({
      address,
      applicationName: 'gateway agent commands',
      budgetMs,
      settings: { lock_timeout: 1000, ...SHORT_SILENCE },
    }),
    gateway,
  );
  // A separate connection, so that a slow record never delays the detection of a revocation.
  const watch = withHeartbeat(
    createLink({
      address,
      applicationName: 'gateway agent standings',
      budgetMs: standingsBudgetMs,
      settings: { default_transaction_read_only: 'on', ...SHORT_SILENCE },
    }),
    gateway,
  );
  const run = <Row extends object>(
    text: string,
    parameters: readonly (string | number | null)[],
    deadline = performance.now() + budgetMs,
  ): Promise<Row[]> => rowsOf<Row>(link, deadline, text, parameters);

  return {
    async recordStart({ id, subject, session, parentSession, interpreter, startedAt }) {
      await run(
        `with line as (
          ${lineage('$2', '$3', '$6')}
        ), running as (
          insert into running_agent_commands (command_id, gateway) values ($1::uuid, $7::integer)
        )
        insert into agent_commands (id, subject, session, interpreter, started_at)
        values ($1::uuid, $2::text, $3::text, $4::text, $5::timestamptz)`,
        [id, subject, session, interpreter, startedAt.toISOString(), parentSession, gateway],
      );
    },
    async recordDescent({ subject, session }, parentSession) {
      await run(lineage('$1', '$2', '$3'), [subject, session, parentSession]);
    },
    async recordEnd(end) {
      await run(
        `with over as (
          delete from running_agent_commands where command_id = $1::uuid
        )
        insert into agent_command_ends
          (command_id, ended_at, code, signal, cause, fault, duration_ms, stdout_bytes, stderr_bytes)
        values ($1::uuid, $2::timestamptz, $3::integer, $4::text, $5::text, $6::text, $7::bigint, $8::bigint, $9::bigint)
        on conflict (command_id) do nothing`,
        [
          end.id,
          end.endedAt.toISOString(),
          end.code,
          end.signal,
          end.cause,
          end.fault,
          end.duration,
          end.stdoutBytes,
          end.stderrBytes,
        ],
      );
    },
    standings: (query) => readStandings(watch, query, performance.now() + standingsBudgetMs),
    async askInterruption(command, subject) {
      if (!UUID.test(command)) return false;
      const begun = performance.now();
      for (;;) {
        const [row] = await run<{ alive: boolean }>(INTERRUPT, [command, subject], begun + budgetMs);
        if (row?.alive !== false) return row !== undefined;
        if (performance.now() - begun >= patienceMs) return false;
        await new Promise((resolve) => setTimeout(resolve, LOOK));
      }
    },
    async orphans(known) {
      const rows = await run<{ command: string }>(
        `select command_id as command from running_agent_commands where command_id <> all ($1::uuid[]) and ${isOrphan('$2')}`,
        [arrayLiteral(known), gateway],
      );
      return rows.map(({ command }) => command);
    },
    async recordLost(commands) {
      if (commands.length === 0) return 0;
      const [row] = await run<{ lost: number }>(LOST, [arrayLiteral(commands), gateway]);
      return row?.lost ?? 0;
    },
    close() {
      link.cut();
      watch.cut();
    },
  };
}

/** A session of a subject: two subjects never share a session, even with the same name. */
export interface OwnedSession {
  readonly subject: string;
  readonly session: string;
}

/** One text for both: no name contains NUL. */
export function sessionKey({ subject, session }: OwnedSession): string {
  return `${subject}\0${session}`;
}

/** A gateway's query: its running work and its directories. */
export interface StandingQuery {
  readonly sessions: readonly OwnedSession[];
  readonly subjects: readonly string[];
  /** Of the subjects, those with a registered account when they were permitted: a missing one was deleted. */
  readonly registered: readonly string[];
  /** Identifiers of account keys. */
  readonly keys: readonly string[];
  readonly commands: readonly string[];
}

/** The revoked items of a query. */
export interface Standings {
  /** Revoked, or descending from a revoked one, by `sessionKey`. */
  readonly revokedSessions: ReadonlySet<string>;
  readonly revokedSubjects: ReadonlySet<string>;
  /** Their account is disabled, or deleted. */
  readonly disabledSubjects: ReadonlySet<string>;
  /** Revoked, or deleted with their account. */
  readonly revokedKeys: ReadonlySet<string>;
  /** Commands whose interruption another gateway requested. */
  readonly interruptedCommands: ReadonlySet<string>;
}

const STANDINGS = `
select 'session' as kind, asked.session as name, asked.subject as owner
from unnest($1::text[], $2::text[]) as asked (subject, session)
where ${revokedAt('asked.subject', 'asked.session')} is not null
union all
select 'revoked', asked.name, null from unnest($3::text[]) as asked (name)
where exists (select from subject_revocations list where list.subject = asked.name and list.lifted_at is null)
union all
select 'disabled', asked.name, null from unnest($3::text[]) as asked (name)
where exists (select from accounts where username = asked.name and not enabled)
union all
select 'disabled', asked.name, null from unnest($4::text[]) as asked (name)
where not exists (select from accounts where username = asked.name)
union all
select 'key', asked.id, null from unnest($5::text[]) as asked (id)
where not exists (select from account_keys where id = asked.id::uuid and revoked_at is null)
union all
select 'command', command_id::text, null from agent_command_interruptions where command_id = any ($6::uuid[])`;

/** @param deadline on the clock of `performance.now()`. @throws DatabaseUnavailable */
export async function readStandings(link: Link, query: StandingQuery, deadline: number): Promise<Standings> {
  const { sessions, subjects, registered, keys, commands } = query;
  const owners = sessions.map(({ subject }) => subject);
  const names = sessions.map(({ session }) => session);
  const parameters = [owners, names, subjects, registered, keys, commands].map(arrayLiteral);
  const rows = await rowsOf<{ kind: string; name: string; owner: string | null }>(
    link,
    deadline,
    STANDINGS,
    parameters,
  );
  const named = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map(({ name }) => name));
  return {
    revokedSessions: new Set(
      rows.flatMap(({ name, owner }) => (owner === null ? [] : [sessionKey({ subject: owner, session: name })])),
    ),
    revokedSubjects: named('revoked'),
    disabledSubjects: named('disabled'),
    revokedKeys: named('key'),
    interruptedCommands: named('command'),
  };
}

export interface StandingsReader {
  /** @throws DatabaseUnavailable */
  read(query: StandingQuery): Promise<Standings>;
  close(): void;
}

/** Queries on its own connection, so that no call waits for it. @param budgetMs milliseconds for one answer. */
export function createStandingsReader(address: DatabaseAddress, budgetMs: number): StandingsReader {
  const settings = { default_transaction_read_only: 'on' };
  const link = createLink({ address, applicationName: 'gateway call standings', budgetMs, settings });
  return {
    read: (query) => readStandings(link, query, performance.now() + budgetMs),
    close: () => link.cut(),
  };
}
