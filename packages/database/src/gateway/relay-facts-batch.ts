import { arrayLiteral, byteaLiteral } from './array-literal.ts';
import {
  askable,
  type BillingState,
  billingFacts,
  endpointAt,
  type FactRow,
  identityAt,
  instantAt,
  NOBODY,
  numberAt,
} from './relay-facts-rows.ts';
import { batchStatement } from './relay-facts-statement.ts';
import type { RelayFacts, RelayQuestion } from './relay-facts-types.ts';

const WITH_BILLING = batchStatement(true);
const WITHOUT_BILLING = batchStatement(false);

/** Kind and place stand before what a row says. */
const VALUES = 2;

/** Distinct values in the order they were first asked, with their places from 1. */
function distinct(values: readonly (string | null)[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const value of values) {
    if (value !== null && !places.has(value)) places.set(value, places.size + 1);
  }
  return places;
}

/** Several questions asked together, each thing once. */
export interface FactsBatch {
  text(billing: boolean): string;
  readonly parameters: readonly (string | null)[];
  /** The facts of each question, from the statement's rows. */
  facts(rows: readonly FactRow[], state: BillingState): RelayFacts[];
}

export function factsBatch(questions: readonly RelayQuestion[], organization: string | null): FactsBatch {
  const asked = questions.map(({ identity, endpoint, session }) => ({
    key: identity.kind === 'key' ? byteaLiteral(identity.digest) : null,
    directory: identity.kind === 'directory' ? askable(identity.subject) : null,
    endpoint: askable(endpoint),
    session: session === null ? null : askable(session),
  }));
  const lists = {
    key: distinct(asked.map(({ key }) => key)),
    directory: distinct(asked.map(({ directory }) => directory)),
    endpoint: distinct(asked.map(({ endpoint }) => endpoint)),
    session: distinct(asked.map(({ session }) => session)),
  };
  return {
    text: (billing) => (billing ? WITH_BILLING : WITHOUT_BILLING),
    parameters: [...Object.values(lists).map((list) => arrayLiteral([...list.keys()])), organization],
    facts(rows, state) {
      const found = new Map(rows.map((row) => [`${row[0]} ${row[1]}`, row]));
      const rowOf = (kind: keyof typeof lists, value: string | null) =>
        value === null ? undefined : found.get(`${kind} ${lists[kind].get(value)}`);
      const force = found.get('force 1') ?? [];
      return asked.map(({ key, directory, endpoint, session }): RelayFacts => {
        const identityRow = rowOf('key', key) ?? rowOf('directory', directory);
        const { read, ...identity } = identityRow ? identityAt(identityRow, VALUES) : NOBODY;
        return {
          ...identity,
          endpoint: endpointAt(rowOf('endpoint', endpoint) ?? [], VALUES),
          sessionRevokedAt: instantAt(rowOf('session', session) ?? [], VALUES),
          policyRevision: numberAt(force, VALUES),
          organizationPolicyRevision: numberAt(force, VALUES + 1),
          billing: billingFacts(state, read),
        };
      });
    },
  };
}
