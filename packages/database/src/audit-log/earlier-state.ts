import type { Component, Decision } from '@gateway/contract';
import { v7 as uuid } from 'uuid';
import type { WireConnection } from '../wire/connection.ts';
import { execute } from '../wire/link.ts';
import type { Head } from './decision-statement.ts';

/** The last entry that a process saw committed. It must be in the log for ever. */
export interface SeenEnd extends Head {
  /** Which installation's log it is (`log_instance`). */
  readonly instance: string;
}

/** Keeps the last entry for the next start of the process: a fail-over may come together with its end. */
export interface SeenEndStore {
  /** Null where none is kept. */
  readonly read: () => SeenEnd | null;
  readonly keep: (end: SeenEnd) => void;
}

const INSTANCE = 'select instance from log_instance';

export async function readInstance(on: WireConnection, deadline: number): Promise<string> {
  const { rows } = await execute(on, INSTANCE, [], deadline);
  return rows[0]?.[0] ?? '';
}

/** The first entry from the position on: a later one where that was archived and removed. */
const FROM = `select sequence, encode(digest, 'hex') from authorization_decisions where sequence >= $1::bigint
order by sequence limit 1`;

/** Whether the log still has an entry: its end may be beyond it, with others in its place. */
export async function hasEntry(
  on: WireConnection,
  there: Head,
  { sequence, digest }: Head,
  deadline: number,
): Promise<boolean> {
  if (there.sequence === sequence) return there.digest === digest;
  if (there.sequence < sequence) return false;
  const { rows } = await execute(on, FROM, [sequence], deadline);
  const [[at, found] = []] = rows;
  return at !== undefined && (BigInt(at ?? 0) > sequence || found === digest);
}

function whatIsMissing(there: Head, { sequence }: Head): string {
  const end = `the decision log of this database ended at entry ${there.sequence}`;
  const entry =
    there.sequence < sequence ? `without entry ${sequence} that` : `with another entry ${sequence} than the one that`;
  return `${end}, ${entry} was written here`;
}

/**
 * The entry that is appended first to a log that went back, in the transaction of the next ones: a fork is never continued
 * silently. What was lost are entries before its number that are in no export and no checkpoint of this log.
 */
export function missingEntries(component: Component, there: Head, seen: Head): Decision {
  return {
    id: uuid(),
    at: new Date().toISOString(),
    component,
    subject: null,
    credential: 'none',
    keyId: null,
    permission: 'journal:verifier-l-integrite',
    resource: 'instance',
    session: null,
    outcome: 'refused',
    reason: 'entries-missing',
    status: 503,
    roles: [],
    policyRevision: null,
    detail: `${whatIsMissing(there, seen)} (digest ${seen.digest})`,
    requestId: null,
    sourceAddress: null,
  };
}

/** The same for the operator. */
export function missingSentence({ detail }: Decision, sequence: bigint): string {
  const what = detail?.replace(/ \(digest .*/, '');
  return (
    `${what}: a backup was restored, or a standby without the last entries promoted. Entry ${sequence} records it (entries-missing). ` +
    'A checkpoint shows it too: gatewayctl journal verify --since FILE'
  );
}
