import type { DatabaseAddress } from '@gateway/database';
import { rowsOf } from '@gateway/database/client/answers';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { createLink, type Link } from '@gateway/database/client/link';
import { revokedAt } from './lineage.ts';

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
