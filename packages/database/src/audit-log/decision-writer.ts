import type { Component, Decision, Detection } from '@gateway/contract';
import { GENESIS, type Signer } from '@gateway/ledger';
import { arrayLiteral } from '../client/array-literal.ts';
import type { DatabaseAddress } from '../client/connect.ts';
import { isDataFault, ServerError, unavailable } from '../client/unavailable.ts';
import type { Reply, WireConnection } from '../wire/connection.ts';
import { connection, createWireLink, execute, type Opened, query } from '../wire/link.ts';
import { chainDecisions, type Head, type Links, READ_HEAD, TAKE_TURN } from './decision-statement.ts';
import {
  hasEntry,
  missingEntries,
  missingSentence,
  readInstance,
  type SeenEnd,
  type SeenEndStore,
} from './earlier-state.ts';
import { REGISTER_SIGNING_KEY } from './signing-keys.ts';

export interface DecisionWriterOptions {
  readonly address: DatabaseAddress;
  readonly signer: Signer;
  readonly budgetMs: number;
  /** Called, with a sentence for the operator, for a log that lacks entries this service has written. */
  readonly onForeignEnd?: (sentence: string) => void;
  /** Where the last entry is kept for the next start. */
  readonly seenEnd?: SeenEndStore;
}

/** The end of the chain, and the number of the connection on which it was left. */
interface OwnHead extends Head {
  readonly connection: number;
}

/** A decision, storable, and what was found in its request. */
export interface Recordable {
  readonly decision: Decision;
  readonly detections: readonly Detection[];
  /** Attempts to write it that ended unknown: it may be in the log, and is looked for first. */
  readonly attempts: number;
}

/**
 * Called once: with the sequence of each decision, in their order, or with DatabaseUnavailable, or with ServerError where the
 * server refused the data.
 */
export type Written = (error: Error | null, sequences: readonly bigint[]) => void;

export interface WriteAttempt {
  /**
   * Adds what arrived meanwhile to the batch. Called when the turn has come: several gateways wait for each other's commits, and
   * fewer, larger batches share their cost.
   */
  readonly topUp: () => void;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  /** Whether it waits for a server that is away: approvals do, so that refusals never keep them waiting. */
  readonly waits: boolean;
}

/** Appends whole batches to the chain. One at a time: the caller waits for each before the next. */
export interface DecisionWriter {
  write(batch: readonly Recordable[], attempt: WriteAttempt, written: Written): void;
  close(): void;
}

/**
 * Turns in a row at this process's own end after which no other process seems to append: then one round trip suffices. It fails
 * where one does, and costs more than it saves, so that two turns by chance are not enough.
 */
const ALONE_AFTER = 16;

const UNIQUE_VIOLATION = '23505';
/** Another process wrote these sequences: the server may find it at the entries or at the seal. */
const TAKEN = ['authorization_decisions_pkey', 'authorization_decision_seals_pkey'];

function isTaken(error: unknown): boolean {
  return error instanceof ServerError && error.code === UNIQUE_VIOLATION && TAKEN.includes(error.constraint);
}

/**
 * For a transaction that appends nothing, because an earlier attempt did: its commit waits for the disk and the synchronous standby,
 * and so for everything before it. The earlier one may not have waited.
 */
const FLUSH = "select pg_logical_emit_message(true, 'gateway', '')";

/** Whether an entry of the batch is at fault. A sequence that is in use is no fault of the entry. */
export function isEntryFault(error: unknown): boolean {
  return isDataFault(error) && !isTaken(error);
}

function chain(batch: readonly Recordable[], head: Head, signer: Signer): Links {
  const decisions = batch.map(({ decision }) => decision);
  return chainDecisions(
    decisions,
    head,
    signer,
    batch.flatMap(({ detections }) => detections),
  );
}

/** The seal is there where its entries are. @returns what is wrong; null where nothing is */
function faultOf(error: Error | null, reply: Reply | undefined): Error | null {
  if (error !== null || reply?.command === 'INSERT 0 1') return error;
  return new Error(
    'the server did not keep the decision: remove what drops it, a trigger or a rule of authorization_decisions or authorization_decision_seals',
  );
}

function sequences(count: number, last: bigint): bigint[] {
  return Array.from({ length: count }, (_, index) => last - BigInt(count - 1 - index));
}

export function createDecisionWriter(options: DecisionWriterOptions): DecisionWriter {
  const { address, signer, budgetMs, onForeignEnd = () => {}, seenEnd } = options;
  const link = createWireLink({
    address,
    applicationName: 'gateway decision log',
    budgetMs,
    settings: { lock_timeout: budgetMs },
  });
  /** The end after this process's last append; null when it is unknown. */
  let head: OwnHead | null = null;
  /** The end that this service last saw committed, on any connection, and by an earlier process. */
  let committed: Head | null = null;
  /** Of the log; null before the first append. */
  let instance: string | null = null;
  /** Records that the log lacks `committed`, until it is written. */
  let missing: Decision | null = null;
  /** Turns in a row that found the end of this process. */
  let ownTurns = 0;
  /** The connection on which the key was published. */
  let registeredOn: number | null = null;

  /**
   * One round trip, at this process's last end. `written` is empty if another process was first, or on a new connection: that may
   * reach a standby without the last entries, or a restored backup, where the next entry would leave a gap.
   */
  function appendAtOwnHead(
    batch: readonly Recordable[],
    own: OwnHead,
    { deadline, waits }: WriteAttempt,
    written: AtOwnHead,
  ): void {
    const append: Opened = (lost, on) => {
      if (on === null) return written(lost, null);
      if (on.number !== own.connection) return written(null, null);
      const links = chain(batch, own, signer);
      on.execute(links.text, links.parameters, deadline, (error, [reply]) => {
        if (isTaken(error)) return written(null, null);
        const fault = faultOf(error, reply);
        if (fault !== null) return written(fault, null);
        sawCommitted(links.head, on.number);
        written(null, sequences(batch.length, links.head.sequence));
      });
    };
    link.connected(deadline, append, waits);
  }

  function sawCommitted(end: Head, connection: number): void {
    head = { ...end, connection };
    committed = end;
    if (instance !== null) seenEnd?.keep({ ...end, instance });
  }

  async function prepare(on: WireConnection, component: Component, deadline: number): Promise<void> {
    await execute(on, REGISTER_SIGNING_KEY, [signer.keyId, signer.publicKey, component], deadline);
    if (instance !== null) return;
    instance = await readInstance(on, deadline);
    const kept: SeenEnd | null = seenEnd?.read() ?? null;
    if (kept?.instance === instance) committed ??= kept;
  }

  /** Two round trips under the lock: the end, then the batch and the commit together. On a new connection the end is checked. */
  async function appendUnderLock(
    batch: readonly Recordable[],
    { topUp, deadline, waits }: WriteAttempt,
  ): Promise<bigint[]> {
    const on = await connection(link, deadline, waits);
    const [first] = batch;
    const isNew = registeredOn !== on.number;
    if (isNew && first) await prepare(on, first.decision.component, deadline);
    const beginning = ['begin', TAKE_TURN, READ_HEAD].map((text) => execute(on, text, [], deadline));
    const [[sequence, digest] = []] = (await Promise.all(beginning)).at(-1)?.rows ?? [];
    const there: Head = { sequence: BigInt(sequence ?? 0), digest: digest ?? GENESIS };
    if (isNew && first && committed !== null && !(await hasEntry(on, there, committed, deadline)))
      missing ??= missingEntries(first.decision.component, there, committed);
    topUp();
    const all = missing === null ? batch : [{ decision: missing, detections: [], attempts: 1 }, ...batch];
    const suspects = all.filter(({ attempts }) => attempts > 0).map(({ decision }) => decision.id);
    const done = await alreadyAppended(on, suspects, deadline);
    const left = all.filter(({ decision }) => !done.has(decision.id));
    const links = left.length > 0 ? chain(left, there, signer) : null;
    const appending = execute(on, links?.text ?? FLUSH, links?.parameters ?? [], deadline);
    const [reply, commit] = await Promise.all([appending, query(on, 'commit', deadline)]);
    const fault = links === null ? null : faultOf(null, reply);
    if (fault !== null) throw fault;
    if (commit.command !== 'COMMIT') throw new Error('the server rolled the batch back');
    const end = links?.head ?? there;
    registeredOn = on.number;
    ownTurns = head?.sequence === there.sequence && head.digest === there.digest ? ownTurns + 1 : 0;
    sawCommitted(end, on.number);
    const fresh = sequences(left.length, end.sequence);
    const at = all.map(({ decision }) => done.get(decision.id) ?? (fresh.shift() as bigint));
    if (missing !== null) {
      onForeignEnd(missingSentence(missing, at.shift() as bigint));
      missing = null;
    }
    return at;
  }

  /** The result of the batch is unknown: the end is read again, on a connection without an open transaction. */
  function giveUp(error: unknown, written: Written): void {
    head = null;
    ownTurns = 0;
    link.cut();
    written(error instanceof ServerError ? error : unavailable(error), []);
  }

  function underLock(batch: readonly Recordable[], attempt: WriteAttempt, written: Written): void {
    appendUnderLock(batch, attempt).then(
      (all) => written(null, all),
      (error: unknown) => giveUp(error, written),
    );
  }

  return {
    write(batch, attempt, written) {
      if (head === null || ownTurns < ALONE_AFTER || batch.some(({ attempts }) => attempts > 0)) {
        underLock(batch, attempt, written);
        return;
      }
      appendAtOwnHead(batch, head, attempt, (error, all) => {
        if (all !== null) written(null, all);
        else if (error !== null) giveUp(error, written);
        else {
          ownTurns = 0;
          underLock(batch, attempt, written);
        }
      });
    },
    close: () => link.cut(),
  };
}

type AtOwnHead = (error: Error | null, sequences: readonly bigint[] | null) => void;

/** Sequences of those that are in the log already, by their ids. */
async function alreadyAppended(
  on: WireConnection,
  ids: readonly string[],
  deadline: number,
): Promise<ReadonlyMap<string, bigint>> {
  if (ids.length === 0) return new Map();
  const text = 'select id, sequence from authorization_decisions where id = any($1::uuid[])';
  const { rows } = await execute(on, text, [arrayLiteral(ids)], deadline);
  return new Map(rows.map(([id, sequence]) => [id ?? '', BigInt(sequence ?? 0)]));
}
