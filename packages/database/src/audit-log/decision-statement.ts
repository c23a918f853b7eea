import { type Decision, type Detection, printable, storable } from '@gateway/contract';
import { link, type Signer, seal } from '@gateway/ledger';
import { recordSet } from '../client/answers.ts';
import { arrayLiteral } from '../client/array-literal.ts';
import { askBatcher, createBatcher } from '../client/batcher.ts';
import type { DatabaseAddress } from '../client/connect.ts';
import { createLink } from '../client/link.ts';
import { DatabaseUnavailable, isDataFault, unavailable } from '../client/unavailable.ts';
import type { Parameter } from '../wire/request-buffer.ts';
import { decisionEntry } from './entries.ts';
import { DECISIONS, TURN_OF } from './names.ts';

/** Longest stored pointer, in characters: it names a position, and a body may nest its names without end. */
const LONGEST_POINTER = 1024;

const { columns, rows } = recordSet({
  id: 'uuid',
  at: 'timestamptz',
  decisionId: 'uuid',
  place: 'text',
  kind: 'text',
  rule: 'text',
  confidence: 'text',
  response: 'text',
  pointer: 'text',
  startOffset: 'bigint',
  endOffset: 'bigint',
  length: 'bigint',
  digest: 'bytea',
  occurrences: 'integer',
});

/** Inserts a parameter's rows, each detection once. `from` is a further source that the rows wait for. */
export function insertDetections(parameter: number, from = '', where = ''): string {
  return `insert into secret_detections (${columns})
select ${columns} from ${from}${rows(parameter)} ${where}
on conflict (id) do nothing`;
}

export function detectionParameter(detections: readonly Detection[]): string {
  return JSON.stringify(
    detections.map(({ pointer, start, end, digest, ...detection }) => ({
      ...detection,
      pointer: pointer && printable(storable(pointer.slice(0, LONGEST_POINTER))),
      startOffset: start,
      endOffset: end,
      digest: `\\x${digest}`,
    })),
  );
}

/** The end of the chain: what the next entry refers to. */
export interface Head {
  readonly sequence: bigint;
  /** Hexadecimal. */
  readonly digest: string;
}

/** What is hashed of an entry, and the types of the columns that keep it. */
const TYPES = {
  sequence: 'bigint',
  id: 'uuid',
  at: 'timestamptz',
  component: 'text',
  subject: 'text',
  credential: 'text',
  keyId: 'uuid',
  permission: 'text',
  resource: 'text',
  session: 'text',
  outcome: 'text',
  reason: 'text',
  status: 'integer',
  roles: 'text[]',
  policyRevision: 'integer',
  detail: 'text',
  requestId: 'text',
  sourceAddress: 'text',
} satisfies Record<keyof Decision | 'sequence', string>;
const MEMBERS = Object.keys(TYPES) as (keyof typeof TYPES)[];
const ENTRY = recordSet(TYPES);

const NAMES = `${ENTRY.columns}, previous, digest`;

/** Parameters before those of the detections: entries, digests before them, digests; sequence, key and signature of the seal. */
const OWN = 6;

/**
 * One round trip, one transaction: the turn, the entries of a batch, and the seal over the last. Entries are sent as the hashed
 * text, because separate columns cost a gateway as much as the digests. The sequence's primary key decides between two gateways
 * at the same end: the second is refused, and reads the end again. Every insert reads the turn, since the server chooses their
 * order, and none may precede the lock. A seal is written only if the server kept every entry: a trigger may drop some.
 */
function append(more = ''): string {
  return `
with turn as materialized (select pg_advisory_xact_lock(${TURN_OF[DECISIONS]})::text as taken),
entries as (
  insert into authorization_decisions (${NAMES})
  select ${ENTRY.columns}, decode(previous, 'hex'), decode(digest, 'hex')
  from turn, rows from (
    ${ENTRY.objects(1)}, unnest($2::text[]), unnest($3::text[])
  ) as entry (${NAMES}) where turn.taken is not null
  returning sequence
)${more}
insert into authorization_decision_seals (sequence, key_id, signature)
select $4::bigint, $5::text, $6::bytea from entries having count(*) = cardinality($3::text[])`;
}

const APPEND = append();

/**
 * The same for one entry, as plain parameters: less than half of the server's processor time, and a fifth less of the gateway's.
 * (Measured too: the entry sent while the seal is signed, as two statements. Server and gateway spend a sixth more on it.)
 * Parameters: the members, digest before, digest; key and signature of the seal.
 */
const APPEND_ONE = `
with turn as materialized (select pg_advisory_xact_lock(${TURN_OF[DECISIONS]})::text as taken),
entries as (
  insert into authorization_decisions (${NAMES})
  select ${MEMBERS.map((member, index) => `$${index + 1}::${TYPES[member]}`).join(', ')},
    decode($${MEMBERS.length + 1}, 'hex'), decode($${MEMBERS.length + 2}, 'hex')
  from turn where turn.taken is not null
  returning sequence
)
insert into authorization_decision_seals (sequence, key_id, signature)
select sequence, $${MEMBERS.length + 3}::text, $${MEMBERS.length + 4}::bytea from entries`;

/** The same with what was found in the requests: a detection is there exactly when its decision is (relay-36). */
const APPEND_WITH_DETECTIONS = append(`, detections as (
  ${insertDetections(OWN + 1, 'turn, ', 'where turn.taken is not null')}
)`);

/** Takes the turn to append, until the end of the transaction. */
export const TAKE_TURN = `select pg_advisory_xact_lock(${TURN_OF[DECISIONS]})`;

/** The end of the chain. A statement of its own, after the turn was taken: it sees what was committed before. */
export const READ_HEAD =
  "select sequence, encode(digest, 'hex') from authorization_decisions order by sequence desc limit 1";

export interface Links {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** The end of the chain once they are appended. */
  readonly head: Head;
}

/**
 * Chains storable decisions after the head and seals the last. `decisions` contains at least one.
 * @param detections in their requests.
 */
export function chainDecisions(
  decisions: readonly Decision[],
  head: Head,
  signer: Signer,
  detections: readonly Detection[] = [],
): Links {
  const [first] = decisions;
  if (first && decisions.length === 1 && detections.length === 0) return chainOne(first, head, signer);
  let { sequence, digest } = head;
  const texts: string[] = [];
  const before: string[] = [];
  const digests: string[] = [];
  for (const decision of decisions) {
    sequence += 1n;
    before.push(digest);
    const entry = link(digest, decisionEntry(decision, sequence));
    digest = entry.digest;
    texts.push(entry.text);
    digests.push(digest);
  }
  const { keyId, signature } = seal(signer, { chain: DECISIONS, sequence, digest });
  // Digests need no quotes in a list.
  const parameters = [`[${texts.join(',')}]`, `{${before.join(',')}}`, `{${digests.join(',')}}`];
  const sealed = [sequence, keyId, Buffer.from(signature)];
  const found = detections.length > 0;
  return {
    text: found ? APPEND_WITH_DETECTIONS : APPEND,
    parameters: [...parameters, ...sealed, ...(found ? [detectionParameter(detections)] : [])],
    head: { sequence, digest },
  };
}

function chainOne(decision: Decision, head: Head, signer: Signer): Links {
  const sequence = head.sequence + 1n;
  const entry = decisionEntry(decision, sequence);
  const { digest } = link(head.digest, entry);
  const { keyId, signature } = seal(signer, { chain: DECISIONS, sequence, digest });
  const members = MEMBERS.map((member) => {
    const value = entry[member];
    return typeof value === 'object' && value !== null ? arrayLiteral(value) : value;
  });
  return {
    text: APPEND_ONE,
    parameters: [...members, head.digest, digest, keyId, Buffer.from(signature)],
    head: { sequence, digest },
  };
}

export interface DetectionLogOptions {
  readonly address: DatabaseAddress;
  /** Milliseconds for one insert. */
  readonly budgetMs: number;
}

/** Where detections go that are made after the decision of their call: those of its answer. */
export interface DetectionLog {
  /** Resolves once they are committed and flushed. Idempotent by their ids. @throws DatabaseUnavailable otherwise. */
  insert(detections: readonly Detection[]): Promise<void>;
  close(): void;
}

/** Groups of one round trip. */
const LIMIT = 64;
const LOCK_TIMEOUT_MS = 2000;
const INSERT = insertDetections(1);

/** Groups that arrive during a write share the next round trip. Faults: as in the usage log, but every commit is flushed. */
export function createDetectionLog({ address, budgetMs }: DetectionLogOptions): DetectionLog {
  const link = createLink({
    address,
    applicationName: 'gateway detections',
    budgetMs,
    settings: { lock_timeout: LOCK_TIMEOUT_MS },
  });
  let closed = false;
  const insert = (detections: readonly Detection[], deadline: number): Promise<unknown> =>
    link.run(deadline, (sql) => sql.unsafe(INSERT, [detectionParameter(detections)], { prepare: true }));

  /** Why each group is not written; null where it is. @throws DatabaseUnavailable where no write is confirmed */
  async function insertAll(groups: readonly (readonly Detection[])[], deadline: number): Promise<(Error | null)[]> {
    try {
      await insert(groups.flat(), deadline);
      return groups.map(() => null);
    } catch (error) {
      if (!isDataFault(error)) throw unavailable(error);
    }
    // A group with faulty content is refused, so that the others do not wait forever.
    const answers: (Error | null)[] = [];
    for (const group of groups) {
      const fault = await insert(group, deadline).then(
        () => null,
        (error: unknown) => unavailable(error),
      );
      answers.push(fault);
    }
    return answers;
  }

  const batcher = createBatcher<readonly Detection[], null>({
    limit: LIMIT,
    answer(groups, deadline, answered) {
      insertAll(groups, deadline).then(
        (answers) => answered(null, answers),
        (error: Error) => answered(error, []),
      );
    },
  });

  return {
    async insert(detections) {
      if (closed) throw new DatabaseUnavailable('the detection log is closed');
      await askBatcher(batcher, detections, performance.now() + budgetMs);
    },
    close() {
      closed = true;
      link.cut();
    },
  };
}
