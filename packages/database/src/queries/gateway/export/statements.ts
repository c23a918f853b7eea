import type { AgentAct, Decision, Detection } from '@gateway/contract';
import type { Sql } from '../../../client/connect.ts';
import type { DetectedCall, ExportedAction, ExportRecord } from './records.ts';

const iso = (at: Date): string => at.toISOString();

type DecisionRow = Omit<Decision, 'at'> & { position: bigint; at: Date; digest: Buffer };

/** Both chains grow without a gap and in the order of their commits: a reader of an entry has seen all earlier ones. */
export async function readDecisions(sql: Sql, after: bigint, limit: number): Promise<ExportRecord[]> {
  const rows = await sql<DecisionRow[]>`
    select sequence as position, id, at, component, subject, credential, key_id as "keyId", permission, resource, session,
      outcome, reason, status, array_to_json(roles) as roles, policy_revision as "policyRevision", detail, request_id as "requestId",
      source_address as "sourceAddress", digest
    from authorization_decisions where sequence > ${after} order by sequence limit ${limit}`;
  return rows.map(({ position, at, digest, ...decision }) => ({
    source: 'decisions',
    position,
    decision: { ...decision, at: iso(at) },
    digest: digest.toString('hex'),
  }));
}

type ActionRow = Omit<ExportedAction, 'at'> & { position: bigint; at: Date; digest: Buffer };

/** @param most bytes of a value; a longer one is left out, for a policy may be of any size. */
export async function readActions(sql: Sql, after: bigint, limit: number, most: number): Promise<ExportRecord[]> {
  const rows = await sql<ActionRow[]>`
    select sequence as position, id, at, component, author, action, target,
      case when octet_length(old_value) <= ${most}::int then old_value end as "oldValue",
      case when octet_length(new_value) <= ${most}::int then new_value end as "newValue",
      greatest(octet_length(old_value), octet_length(new_value), 0) > ${most}::int as shortened, digest
    from administration_actions where sequence > ${after} order by sequence limit ${limit}`;
  return rows.map(({ position, at, digest, ...action }) => ({
    source: 'actions',
    position,
    action: { ...action, at: iso(at) },
    digest: digest.toString('hex'),
  }));
}

/** The newest number there is, and a transaction that began after all that were given numbers up to it. */
export interface Horizon {
  readonly number: bigint;
  readonly transaction: string;
}

/** Null where nothing is newer. */
export async function horizonOf(
  sql: Sql,
  table: 'secret_detections' | 'agent_acts',
  after: bigint,
): Promise<Horizon | null> {
  const [horizon] = await sql<Horizon[]>`
    select number, pg_current_xact_id()::text as transaction from ${sql(table)}
    where number > ${after} order by number desc limit 1`;
  return horizon ?? null;
}

type DetectionRow = Omit<Detection, 'at' | 'digest' | 'start' | 'end' | 'length'> & {
  position: bigint;
  at: Date;
  digest: Buffer;
  start: bigint;
  end: bigint;
  length: bigint;
  known: boolean;
} & DetectedCall;

/** Up to the horizon; nothing as long as a transaction from before it is still under way. */
export async function readDetections(
  sql: Sql,
  after: bigint,
  { number, transaction }: Horizon,
  limit: number,
): Promise<ExportRecord[]> {
  const rows = await sql<DetectionRow[]>`
    select number as position, found.id, found.at, decision_id as "decisionId", place, kind, rule, confidence, response,
      pointer, start_offset as start, end_offset as "end", length, found.digest, occurrences,
      call.id is not null as known, call.subject, call.resource, call.session, call.source_address as "sourceAddress"
    from secret_detections found left join authorization_decisions call on call.id = found.decision_id
    where number > ${after} and number <= ${number}
      and pg_snapshot_xmin(pg_current_snapshot()) > ${transaction}::text::xid8
    order by number limit ${limit}`;
  return rows.map((row) => {
    const { position, known, subject, resource, session, sourceAddress, ...found } = row;
    return {
      source: 'detections',
      position,
      detection: {
        ...found,
        at: iso(found.at),
        digest: found.digest.toString('hex'),
        start: Number(found.start),
        end: Number(found.end),
        length: Number(found.length),
      },
      call: known ? { subject, resource, session, sourceAddress } : null,
    };
  });
}

interface ActRow extends Pick<AgentAct, 'id' | 'session' | 'subject' | 'tool' | 'authorizedBy' | 'outcome'> {
  readonly position: bigint;
  readonly at: Date;
  readonly parentSession: string | null;
  readonly kind: AgentAct['target']['kind'];
  readonly value: string;
  readonly reason: string | null;
}

export async function readActs(
  sql: Sql,
  after: bigint,
  { number, transaction }: Horizon,
  limit: number,
): Promise<ExportRecord[]> {
  const rows = await sql<ActRow[]>`
    select number as position, id, session, parent_session as "parentSession", subject, at, tool, target_kind as kind,
      target_value as value, authorized_by as "authorizedBy", outcome, reason
    from agent_acts
    where number > ${after} and number <= ${number}
      and pg_snapshot_xmin(pg_current_snapshot()) > ${transaction}::text::xid8
    order by number limit ${limit}`;
  return rows.map(({ position, at, parentSession, kind, value, reason, ...act }) => ({
    source: 'acts',
    position,
    act: {
      ...act,
      at: iso(at),
      target: { kind, value },
      ...(parentSession === null ? {} : { parentSession }),
      ...(reason === null ? {} : { reason }),
    },
  }));
}
