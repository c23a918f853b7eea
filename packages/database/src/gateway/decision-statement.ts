import type { Decision, Detection } from '@gateway/contract';
import { digestOf, type Signer, seal } from '@gateway/ledger';
import { decisionEntry } from '../chain/decision-entry.ts';
import { DECISIONS, TURN_OF } from '../chain/names.ts';
import { arrayLiteral, byteaLiteral } from './array-literal.ts';
import { detectionParameters, insertDetections } from './detection-statement.ts';

/** The end of the chain: what the next entry refers to. */
export interface Head {
  readonly sequence: bigint;
  readonly digest: Buffer;
}

/** Column, type in a list, and the value of one entry. The two digests come last. */
const COLUMNS: readonly (readonly [
  column: string,
  type: string,
  value: (link: Link) => string | number | bigint | null,
])[] = [
  ['sequence', 'bigint', ({ sequence }) => sequence],
  ['id', 'uuid', ({ decision }) => decision.id],
  ['at', 'timestamptz', ({ decision }) => decision.at],
  ['component', 'text', ({ decision }) => decision.component],
  ['subject', 'text', ({ decision }) => decision.subject],
  ['credential', 'text', ({ decision }) => decision.credential],
  ['key_id', 'uuid', ({ decision }) => decision.keyId],
  ['permission', 'text', ({ decision }) => decision.permission],
  ['resource', 'text', ({ decision }) => decision.resource],
  ['session', 'text', ({ decision }) => decision.session],
  ['outcome', 'text', ({ decision }) => decision.outcome],
  ['reason', 'text', ({ decision }) => decision.reason],
  ['status', 'integer', ({ decision }) => decision.status],
  ['roles', 'text', ({ decision }) => `{${decision.roles.join(',')}}`], // role names need no quoting
  ['policy_revision', 'integer', ({ decision }) => decision.policyRevision],
  ['detail', 'text', ({ decision }) => decision.detail],
  ['request_id', 'text', ({ decision }) => decision.requestId],
  ['source_address', 'text', ({ decision }) => decision.sourceAddress],
  ['previous', 'bytea', ({ previous }) => byteaLiteral(previous)],
  ['digest', 'bytea', ({ digest }) => byteaLiteral(digest)],
];

const names = COLUMNS.map(([name]) => name).join(', ');

/** Every insert reads the turn, for the server runs them in an order of its choice, and none may come before the lock. */
function append(rows: string, seal: number, more = ''): string {
  return `
with turn as materialized (select pg_advisory_xact_lock(${TURN_OF[DECISIONS]})::text as taken),
entries as (
  insert into authorization_decisions (${names}) ${rows} where turn.taken is not null
)${more}
insert into authorization_decision_seals (sequence, key_id, signature)
select $${seal}::bigint, $${seal + 1}::text, $${seal + 2}::bytea from turn where turn.taken is not null`;
}

/** The type of a column: the roles of an entry travel as one text. */
const typeOf = (name: string, type: string): string => (name === 'roles' ? 'text[]' : type);
const SEAL = COLUMNS.length + 1;

/**
 * One round trip, one transaction: the turn, the entries of a batch, and the seal over the last. The primary key on the
 * sequence decides between two gateways that believe to stand at the same end: the second is refused, and reads the end anew.
 */
const MANY = `select ${COLUMNS.map(([name]) => (name === 'roles' ? 'roles::text[]' : name)).join(', ')}
  from turn, unnest(${COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')}) as entry (${names})`;
const APPEND_MANY = append(MANY, SEAL);

/** The same with what was found in the requests: a detection is there exactly when its decision is (decisions §10). */
const APPEND_WITH_DETECTIONS = append(
  MANY,
  SEAL,
  `, detections as (
  ${insertDetections(SEAL + 3, 'turn, ', 'where turn.taken is not null')}
)`,
);

/** The same for an entry that is alone: without lists, a tenth of a millisecond quicker. */
const APPEND_ONE = append(
  `select ${COLUMNS.map(([name, type], index) => `$${index + 1}::${typeOf(name, type)}`).join(', ')} from turn`,
  SEAL,
);

/** Takes the turn and reads the end of the chain, in the transaction that will append to it. */
export const BEGIN_AT_HEAD = `
begin;
select pg_advisory_xact_lock(${TURN_OF[DECISIONS]});
select sequence, digest from authorization_decisions order by sequence desc limit 1`;

interface Link {
  readonly decision: Decision;
  readonly sequence: bigint;
  readonly previous: Buffer;
  readonly digest: Buffer;
}

export interface Links {
  readonly text: string;
  readonly parameters: readonly (string | number | bigint | Buffer | null)[];
  /** The end of the chain once they are appended. */
  readonly head: Head;
}

/**
 * Chains storable decisions behind the head and seals the last. `decisions` holds at least one.
 * @param detections what was found in their requests.
 */
export function chainDecisions(
  decisions: readonly Decision[],
  head: Head,
  signer: Signer,
  detections: readonly Detection[] = [],
): Links {
  let { sequence, digest } = head;
  const links = decisions.map((decision): Link => {
    const previous = digest;
    sequence += 1n;
    digest = digestOf(previous, decisionEntry(decision, sequence));
    return { decision, sequence, previous, digest };
  });
  const { keyId, signature } = seal(signer, { chain: DECISIONS, sequence, digest });
  const sealed = [sequence, keyId, Buffer.from(signature)];
  const [alone] = links;
  if (alone && links.length === 1 && detections.length === 0) {
    const { previous, digest: own } = alone;
    const values = COLUMNS.slice(0, -2).map(([, , value]) => value(alone));
    return { text: APPEND_ONE, parameters: [...values, previous, own, ...sealed], head: { sequence, digest } };
  }
  const lists = COLUMNS.map(([, , value]) => arrayLiteral(links.map(value)));
  if (detections.length > 0) {
    const parameters = [...lists, ...sealed, ...detectionParameters(detections)];
    return { text: APPEND_WITH_DETECTIONS, parameters, head: { sequence, digest } };
  }
  return { text: APPEND_MANY, parameters: [...lists, ...sealed], head: { sequence, digest } };
}
