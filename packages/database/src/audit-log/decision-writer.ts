import type { Decision, Detection } from '@gateway/contract';
import { GENESIS, type Signer } from '@gateway/ledger';
import postgres from 'postgres';
import { arrayLiteral } from '../client/array-literal.ts';
import type { DatabaseAddress, Sql } from '../client/connect.ts';
import { createLink } from '../client/link.ts';
import { isDataFault } from '../client/unavailable.ts';
import { registerSigningKey } from './append-action.ts';
import { BEGIN_AT_HEAD, chainDecisions, type Head, type Links } from './decision-statement.ts';

export interface DecisionWriterOptions {
  readonly address: DatabaseAddress;
  readonly signer: Signer;
  readonly budgetMs: number;
  /** Told, in a sentence for the operator, of a log that does not hold what this process has written. */
  readonly onForeignEnd?: (sentence: string) => void;
}

/** The end of the chain, and the number of the connection on which it was left. */
interface OwnHead extends Head {
  readonly connection: number;
}

/** A decision, storable, and what was found in its request. */
export interface Recordable {
  readonly decision: Decision;
  readonly detections: readonly Detection[];
}

/** Appends whole batches to the chain. One at a time: the caller waits for each before the next. */
export interface DecisionWriter {
  /**
   * @param suspects ids among them that an earlier attempt may have appended: they are looked for first.
   * @returns the sequence of each decision, in their order. @throws DatabaseUnavailable, or PostgresError where the server refused the data.
   */
  write(batch: readonly Recordable[], suspects: readonly string[], deadline: number): Promise<readonly bigint[]>;
  close(): void;
}

const UNIQUE_VIOLATION = '23505';
/** Another process wrote these sequences: the server may find it at the entries or at the seal. */
const TAKEN = ['authorization_decisions_pkey', 'authorization_decision_seals_pkey'];

function isTaken(error: unknown): boolean {
  return (
    error instanceof postgres.PostgresError &&
    error.code === UNIQUE_VIOLATION &&
    TAKEN.includes(error.constraint_name ?? '')
  );
}

/** Whether an entry of the batch is at fault. That its sequence is taken is not. */
export function isEntryFault(error: unknown): boolean {
  return isDataFault(error) && !isTaken(error);
}

/** Whether a log that ends there cannot hold the entry that was committed last. */
function isForeign(there: Head, committed: Head): boolean {
  if (there.sequence !== committed.sequence) return there.sequence < committed.sequence;
  return there.digest !== committed.digest;
}

function foreignEnd(there: Head, committed: Head): string {
  return (
    `the decision log of this database ends at entry ${there.sequence}, without entry ${committed.sequence} that was written here: a backup ` +
    'was restored, or a standby without the last entries promoted. A checkpoint shows it too: gatewayctl journal verify --since FILE'
  );
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

async function append(sql: Sql, { text, parameters }: Links): Promise<void> {
  const { count } = await sql.unsafe(text, [...parameters], { prepare: true });
  if (count === 1) return; // the seal, which is there where its entries are
  throw new Error(
    'the server did not keep the decision: remove what drops it, a trigger or a rule of authorization_decisions or authorization_decision_seals',
  );
}

export function createDecisionWriter(options: DecisionWriterOptions): DecisionWriter {
  const { address, signer, budgetMs, onForeignEnd = () => {} } = options;
  const link = createLink({
    address,
    applicationName: 'gateway decision log',
    budgetMs,
    settings: { lock_timeout: budgetMs },
  });
  /** The end as this process last left it; null when it is not known. */
  let head: OwnHead | null = null;
  /** The end that this process last saw committed, whatever became of the connection since. */
  let committed: Head | null = null;
  /** Whether nobody else seems to append: then one round trip does, else the end is read under the lock first. */
  let alone = false;
  /** The connection on which the key was made known. */
  let registeredOn: number | null = null;

  function sequences(count: number, last: bigint): bigint[] {
    return Array.from({ length: count }, (_, index) => last - BigInt(count - 1 - index));
  }

  /**
   * One round trip, at the end this process left; null when another process was there first, or the connection is another: it may
   * lead to a standby without the last entries, or to a restored backup, where the next entry would stand behind a gap.
   */
  async function appendAtOwnHead(
    batch: readonly Recordable[],
    own: OwnHead,
    deadline: number,
  ): Promise<bigint[] | null> {
    const links = chain(batch, own, signer);
    try {
      const same = await link.run(deadline, async (sql, connection) => {
        if (connection !== own.connection) return false;
        await append(sql, links);
        return true;
      });
      if (!same) return null;
    } catch (error) {
      if (isTaken(error)) return null;
      throw error;
    }
    head = { ...links.head, connection: own.connection };
    committed = links.head;
    return sequences(batch.length, links.head.sequence);
  }

  async function appended(sql: Sql, ids: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
    if (ids.length === 0) return new Map();
    const rows = await sql<{ id: string; sequence: bigint }[]>`
      select id, sequence from authorization_decisions where id = any(${arrayLiteral(ids)}::uuid[])`;
    return new Map(rows.map(({ id, sequence }) => [id, sequence]));
  }

  /** Two round trips under the lock: the end, then the batch and the commit together. */
  async function appendUnderLock(
    batch: readonly Recordable[],
    suspects: readonly string[],
    deadline: number,
  ): Promise<bigint[]> {
    const { done, there, end, fresh, connection } = await link.run(deadline, async (sql, connection) => {
      const [first] = batch;
      if (registeredOn !== connection && first) await registerSigningKey(sql, signer, first.decision.component);
      const results = await sql.unsafe<[][]>(BEGIN_AT_HEAD);
      const [found] = results.at(-1) as unknown as Head[];
      const there = found ?? { sequence: 0n, digest: GENESIS };
      const done = await appended(sql, suspects);
      const left = batch.filter(({ decision }) => !done.has(decision.id));
      const links = left.length > 0 ? chain(left, there, signer) : null;
      const [, commit] = await Promise.all([links && append(sql, links), sql.unsafe('commit')]);
      if (commit.command !== 'COMMIT') throw new Error('the server rolled the batch back');
      const end = links?.head ?? there;
      return { done, there, end, fresh: sequences(left.length, end.sequence), connection };
    });
    registeredOn = connection;
    alone = head?.sequence === there.sequence && head.digest === there.digest;
    if (committed !== null && isForeign(there, committed)) onForeignEnd(foreignEnd(there, committed));
    head = { ...end, connection };
    committed = end;
    return batch.map(({ decision }) => done.get(decision.id) ?? (fresh.shift() as bigint));
  }

  return {
    async write(batch, suspects, deadline) {
      try {
        if (head && alone && suspects.length === 0) {
          const done = await appendAtOwnHead(batch, head, deadline);
          if (done) return done;
          alone = false;
        }
        return await appendUnderLock(batch, suspects, deadline);
      } catch (error) {
        // What the server did with the batch is not known: the end is read again, on a connection without an open transaction.
        head = null;
        alone = false;
        link.cut();
        throw error;
      }
    },
    close: () => link.cut(),
  };
}
