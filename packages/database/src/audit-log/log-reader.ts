import { createHash } from 'node:crypto';
import type { AgentAct, Decision, Detection } from '@gateway/contract';
import {
  consistencyPath,
  GENESIS,
  readFromTiles,
  type SealedPosition,
  type Signer,
  type TreeCheckpoint,
} from '@gateway/ledger';
import { answer } from '../client/answers.ts';
import { arrayLiteral } from '../client/array-literal.ts';
import type { DatabaseAddress, Sql } from '../client/connect.ts';
import { createLink, type Link } from '../client/link.ts';
import { DatabaseUnavailable, unavailable } from '../client/unavailable.ts';
import type { StoredAction } from './entries.ts';
import {
  ACTIONS,
  type ChainName,
  type CheckpointSigner,
  DECISIONS,
  extendTree,
  proveContinuation,
  readStoredTiles,
  registerSigningKey,
  signTree,
} from './index.ts';

const iso = (at: Date): string => at.toISOString();

type DecisionRow = Omit<Decision, 'at'> & { position: bigint; at: Date; digest: Buffer };

/** Both chains grow without a gap and in the order of their commits: a reader of an entry has seen all earlier ones. */
async function readDecisions(sql: Sql, after: bigint, limit: number): Promise<ExportRecord[]> {
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
async function readActions(sql: Sql, after: bigint, limit: number, most: number): Promise<ExportRecord[]> {
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
interface Horizon {
  readonly number: bigint;
  readonly transaction: string;
}

/** Null where nothing is newer. */
async function horizonOf(sql: Sql, table: 'secret_detections' | 'agent_acts', after: bigint): Promise<Horizon | null> {
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
async function readDetections(
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
  readonly receivedAt: Date;
  readonly parentSession: string | null;
  readonly kind: AgentAct['target']['kind'];
  readonly value: string;
  readonly reason: string | null;
}

async function readActs(
  sql: Sql,
  after: bigint,
  { number, transaction }: Horizon,
  limit: number,
): Promise<ExportRecord[]> {
  const rows = await sql<ActRow[]>`
    select number as position, id, session, parent_session as "parentSession", subject, at, tool, target_kind as kind,
      target_value as value, authorized_by as "authorizedBy", outcome, reason, received_at as "receivedAt"
    from agent_acts
    where number > ${after} and number <= ${number}
      and pg_snapshot_xmin(pg_current_snapshot()) > ${transaction}::text::xid8
    order by number limit ${limit}`;
  return rows.map(({ position, at, receivedAt, parentSession, kind, value, reason, ...act }) => ({
    source: 'acts',
    position,
    receivedAt: iso(receivedAt),
    act: {
      ...act,
      at: iso(at),
      target: { kind, value },
      ...(parentSession === null ? {} : { parentSession }),
      ...(reason === null ? {} : { reason }),
    },
  }));
}

/** The entries read from one source, and whether the page was full: there may be more. */
interface ReadOfSource {
  readonly records: readonly ExportRecord[];
  readonly full: boolean;
}

/**
 * The entries of all sources by the time of their recording, each source in its own order. A collector may refuse entries far behind its newest
 * (Loki does), and after a long outage a whole log would be behind another. So it stops where the next entry of a source is
 * unknown.
 */
export function byTime(sources: readonly ReadOfSource[]): ExportRecord[] {
  const heads = sources.map(({ records, full }) => {
    const left = records.values();
    return { left, full, head: left.next().value };
  });
  const merged: ExportRecord[] = [];
  for (;;) {
    if (heads.some(({ head, full }) => head === undefined && full)) return merged;
    let first: (typeof heads)[number] | undefined;
    for (const one of heads) {
      if (one.head === undefined) continue;
      if (first?.head === undefined || recordedAt(one.head) < recordedAt(first.head)) first = one;
    }
    if (first?.head === undefined) return merged;
    merged.push(first.head);
    first.head = first.left.next().value;
  }
}

export interface LogReaderOptions {
  readonly address: DatabaseAddress;
  /** The key of the stored positions. */
  readonly destination: string;
  /** Milliseconds for one answer. */
  readonly budgetMs: number;
  /** Bytes of an administration action's value past which it is left out. */
  readonly longestValue: number;
}

/** Position by source, of what is confirmed. */
export type Positions = Readonly<Partial<Record<ExportSource, bigint>>>;

/** Reads unconfirmed entries of a destination. One process at a time reads for a destination. */
export interface LogReader {
  /** Takes the turn, or keeps it. @returns false while another process has it. @throws DatabaseUnavailable */
  claim(): Promise<boolean>;
  /**
   * What follows the confirmed positions, at most `limit` entries of each source, each source in its order, mixed by time.
   * @throws DatabaseUnavailable, also where the turn was lost.
   */
  read(limit: number): Promise<readonly ExportRecord[]>;
  /** Keeps what is confirmed now. They only grow. @throws DatabaseUnavailable, also where the turn was lost. */
  confirm(positions: Positions): Promise<void>;
  close(): void;
}

/** First half of the advisory lock; the second half is the destination. */
const TURN = 727_004;
/** Administration actions contain whole policies, so their batches are smaller. */
const MAX_ACTIONS = 32;
/** Seconds until the server drops a silent gateway's connection, and with it the turn. */
const SILENCE = { tcp_keepalives_idle: 20, tcp_keepalives_interval: 5, tcp_keepalives_count: 4 };

const CONFIRM = `
insert into log_export_positions as kept (destination, source, position)
select $1::text, source, position from unnest($2::text[], $3::bigint[]) as confirmed (source, position)
on conflict (destination, source) do update set position = excluded.position, exported_at = now()
where kept.position < excluded.position`;

/**
 * The turn is a session lock (`pg_try_advisory_lock`): it ends with the connection, even if the process is killed, and the
 * connection's number reveals one that was lost in between.
 */
export function createLogReader({ address, destination, budgetMs, longestValue }: LogReaderOptions): LogReader {
  const link = createLink({
    address,
    applicationName: 'gateway log export',
    budgetMs,
    settings: { lock_timeout: budgetMs, ...SILENCE },
  });
  const key = createHash('sha256').update(destination).digest().readInt32BE(0);
  const positions = new Map<ExportSource, bigint>();
  const horizons = new Map<ExportSource, Horizon>();
  /** The connection with the turn. */
  let holder: number | null = null;

  async function ask<Answer>(work: (sql: Sql, connection: number) => Promise<Answer>): Promise<Answer> {
    try {
      return await link.run(performance.now() + budgetMs, work);
    } catch (error) {
      holder = null;
      link.cut();
      throw unavailable(error);
    }
  }

  const withTurn = <Answer>(work: (sql: Sql) => Promise<Answer>): Promise<Answer> =>
    // Rejects, and does not throw: what a link runs is a promise from its first step on.
    ask(async (sql, connection) => {
      if (connection !== holder) throw new DatabaseUnavailable('another process may export by now');
      return work(sql);
    });

  const after = (source: ExportSource): bigint => positions.get(source) ?? 0n;

  /** Entries of a table whose numbers are given before they are committed. */
  async function readNumbered(
    sql: Sql,
    source: 'detections' | 'acts',
    limit: number,
  ): Promise<readonly ExportRecord[]> {
    const table = source === 'acts' ? 'agent_acts' : 'secret_detections';
    const horizon = horizons.get(source) ?? (await horizonOf(sql, table, after(source)));
    if (horizon === null) return [];
    // Kept until it is reached: a new one every time would always wait for the newest transaction.
    horizons.set(source, horizon);
    return (source === 'acts' ? readActs : readDetections)(sql, after(source), horizon, limit);
  }

  function moveTo(source: ExportSource, position: bigint): void {
    positions.set(source, position);
    const horizon = horizons.get(source);
    if (horizon !== undefined && position >= horizon.number) horizons.delete(source);
  }

  return {
    claim: () =>
      ask(async (sql, connection) => {
        if (connection === holder) return true;
        const [lock] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${TURN}, ${key}) as taken`;
        if (lock?.taken !== true) return false;
        const rows = await sql<{ source: ExportSource; position: bigint }[]>`
          select source, position from log_export_positions where destination = ${destination}`;
        positions.clear();
        horizons.clear();
        for (const { source, position } of rows) positions.set(source, position);
        holder = connection;
        return true;
      }),
    read: (limit) =>
      withTurn(async (sql) => {
        const actions = Math.min(limit, MAX_ACTIONS);
        const read = await Promise.all([
          readActions(sql, after('actions'), actions, longestValue),
          readNumbered(sql, 'detections', limit),
          readNumbered(sql, 'acts', limit),
          readDecisions(sql, after('decisions'), limit),
        ]);
        const asked = [actions, limit, limit, limit];
        return byTime(read.map((records, index) => ({ records, full: records.length === asked[index] })));
      }),
    confirm: (confirmed) =>
      withTurn(async (sql) => {
        const sources = EXPORT_SOURCES.filter((source) => confirmed[source] !== undefined);
        const reached = sources.map((source) => confirmed[source] ?? 0n);
        await sql.unsafe(CONFIRM, [destination, arrayLiteral(sources), arrayLiteral(reached)], { prepare: true });
        for (const [index, source] of sources.entries()) moveTo(source, reached[index] ?? 0n);
      }),
    close: () => link.cut(),
  };
}

/** What the log export reads, one position each (log-16). */
const EXPORT_SOURCES = ['decisions', 'actions', 'detections', 'acts'] as const;
export type ExportSource = (typeof EXPORT_SOURCES)[number];

/** One entry of a source. Positions of a source only grow, and gaps in them mean nothing. */
export type ExportRecord =
  | {
      readonly source: 'decisions';
      readonly position: bigint;
      readonly decision: Decision;
      /** Of the entry in its chain, hexadecimal. */
      readonly digest: string;
    }
  | { readonly source: 'actions'; readonly position: bigint; readonly action: ExportedAction; readonly digest: string }
  | {
      readonly source: 'detections';
      readonly position: bigint;
      readonly detection: Detection;
      /** Of the call; null where its decision is not in the log. */
      readonly call: DetectedCall | null;
    }
  | {
      readonly source: 'acts';
      readonly position: bigint;
      readonly act: AgentAct;
      /** When the gateway stored it, ISO 8601: `at` is the claim of a workstation, of any year. */
      readonly receivedAt: string;
    };

/** When an entry was recorded, by our clocks: ISO 8601 in UTC, so that texts compare like times. */
export function recordedAt(record: ExportRecord): string {
  switch (record.source) {
    case 'decisions':
      return record.decision.at;
    case 'actions':
      return record.action.at;
    case 'detections':
      return record.detection.at;
    default:
      return record.receivedAt;
  }
}

/** An administration action; values are canonical JSON. */
export interface ExportedAction extends StoredAction {
  /** Whether a value was left out for its size. */
  readonly shortened: boolean;
}

/** Facts about the call of a detection, from its decision. */
export interface DetectedCall {
  readonly subject: string | null;
  readonly resource: string;
  readonly session: string | null;
  readonly sourceAddress: string | null;
}

/** The trees of the logs, as the gateway uses them behind its relay. */
export interface LogTrees {
  /** Appends the next entries that fill tiles, unless another process does. @returns whether the log has more. @throws TreeFault */
  build(chain: ChainName): Promise<boolean>;
  /** A checkpoint of the whole log. @throws TreeFault, DatabaseUnavailable */
  sign(chain: ChainName, signer: CheckpointSigner): Promise<TreeCheckpoint>;
  /** Whether the log at a checkpoint begins with the log at an older one. */
  isContinued(chain: ChainName, old: TreeCheckpoint, next: TreeCheckpoint): Promise<boolean>;
  /** The consistency proof between two sizes. */
  path(chain: ChainName, old: number, size: number): Promise<readonly Uint8Array[]>;
  close(): void;
}

/** @param budgetMs of each step: a few thousand entries, or one proof. */
export function createLogTrees(link: Link, budgetMs: number): LogTrees {
  let last: Promise<unknown> = Promise.resolve();
  /** One step after the other: statements of a second one would become part of the transaction of the first. */
  const run = <Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> => {
    const step = last.then(() => link.run(performance.now() + budgetMs, work));
    last = step.catch(() => {});
    return step;
  };
  return {
    build: (chain) => run(async (sql) => (await extendTree(sql, chain, { onlyWholeTiles: true, waits: false })).more),
    async sign(chain, signer) {
      // A new tree over an old log takes many steps.
      for (let more = true; more; ) more = await run(async (sql) => (await extendTree(sql, chain)).more);
      return run(async (sql) => (await signTree(sql, chain, signer)).checkpoint);
    },
    isContinued: (chain, old, next) =>
      run(async (sql) => {
        const tree = { read: readFromTiles(readStoredTiles(sql, chain)) };
        return (await proveContinuation(tree, old, next)) !== null;
      }),
    path: (chain, old, size) => run((sql) => consistencyPath(old, size, readFromTiles(readStoredTiles(sql, chain)))),
    close: () => link.cut(),
  };
}

/**
 * The heads of both logs, for a checkpoint. Its signer is published first: a gateway without any appended entry signs
 * checkpoints, too.
 * @throws DatabaseUnavailable
 */
export function readChainPositions(link: Link, signer: Signer, deadline: number): Promise<readonly SealedPosition[]> {
  return answer(link, deadline, async (sql) => {
    await registerSigningKey(sql, signer, 'gateway');
    return Promise.all(
      [DECISIONS, ACTIONS].map(async (chain) => {
        const [end] = await sql<{ sequence: bigint; digest: string }[]>`
          select sequence, encode(digest, 'hex') as digest from ${sql(chain)} order by sequence desc limit 1`;
        return { chain, sequence: BigInt(end?.sequence ?? 0), digest: end?.digest ?? GENESIS };
      }),
    );
  });
}
