import { arrayLiteral } from '../../array-literal.ts';
import {
  askable,
  type BillingState,
  billingFacts,
  endpointAt,
  type FactRow,
  type IdentityFacts,
  identityAt,
  instantAt,
  NOBODY,
  revisionAt,
} from './rows.ts';
import { batchStatement, LISTS, type List } from './statement.ts';
import type { EndpointFacts, RelayFacts, RelayQuestion } from './types.ts';

const statements = new Map<string, string>();

/** The text for these lists, always the same string, so that the server has it prepared. */
function statementFor(lists: readonly List[], billing: boolean): string {
  const name = `${billing} ${lists.join(' ')}`;
  let text = statements.get(name);
  if (text === undefined) {
    text = batchStatement(billing, lists);
    statements.set(name, text);
  }
  return text;
}

/** Kind and place stand before what a row says. */
const VALUES = 2;

/** Distinct values in the order they were first asked, with their places from 1. */
class Places {
  readonly values: string[] = [];
  readonly #places = new Map<string, number>();

  of(value: string): number {
    const known = this.#places.get(value);
    if (known !== undefined) return known;
    this.#places.set(value, this.values.push(value));
    return this.values.length;
  }
}

/** Several questions asked together, each thing once. */
export interface FactsBatch {
  text(billing: boolean): string;
  readonly parameters: readonly (string | null)[];
  /** The facts of each question, from the statement's rows. */
  facts(rows: readonly FactRow[], state: BillingState): RelayFacts[];
}

/** What the rows say, each read once however many questions share it: by kind, then by place. */
function readRows(rows: readonly FactRow[]) {
  const identity = { key: new Map<number, IdentityFacts>(), directory: new Map<number, IdentityFacts>() };
  const endpoint = new Map<number, EndpointFacts | null>();
  const session = new Map<number, Date | null>();
  let force: FactRow = [];
  for (const row of rows) {
    const [kind] = row;
    const place = Number(row[1]);
    if (kind === 'key' || kind === 'directory') identity[kind].set(place, identityAt(row, VALUES));
    else if (kind === 'endpoint') endpoint.set(place, endpointAt(row, VALUES));
    else if (kind === 'session') session.set(place, instantAt(row, VALUES));
    else force = row;
  }
  const policy = revisionAt(force, VALUES);
  const organizationPolicy = revisionAt(force, VALUES + 1);
  return { identity, endpoint, session, policy, organizationPolicy };
}

export function factsBatch(questions: readonly RelayQuestion[], organization: string | null): FactsBatch {
  const lists = { key: new Places(), directory: new Places(), endpoint: new Places(), session: new Places() };
  const asked = questions.map(({ identity, endpoint, session }) => ({
    kind: identity.kind,
    identity: identity.kind === 'key' ? lists.key.of(identity.digest) : lists.directory.of(askable(identity.subject)),
    endpoint: lists.endpoint.of(askable(endpoint)),
    session: session === null ? null : lists.session.of(askable(session)),
  }));
  const asking = LISTS.filter((list) => lists[list].values.length > 0);
  return {
    text: (billing) => statementFor(asking, billing),
    parameters: [...asking.map((list) => arrayLiteral(lists[list].values)), organization],
    facts(rows, state) {
      const said = readRows(rows);
      const { policy, organizationPolicy } = said;
      return asked.map(({ kind, identity, endpoint, session }): RelayFacts => {
        const { read, account, subjectRevoked, roles } = said.identity[kind].get(identity) ?? NOBODY;
        return {
          account,
          subjectRevoked,
          roles,
          endpoint: said.endpoint.get(endpoint) ?? null,
          sessionRevokedAt: session === null ? null : (said.session.get(session) ?? null),
          policy,
          organizationPolicy,
          billing: billingFacts(state, read),
        };
      });
    },
  };
}
