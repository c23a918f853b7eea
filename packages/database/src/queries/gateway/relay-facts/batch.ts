import { arrayLiteral } from '../../../client/array-literal.ts';
import { BATCH } from './columns.ts';
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
import { batchStatement, LISTS, type List, PARAMETERS } from './statement.ts';
import type { EndpointFacts, RelayFacts, RelayQuery } from './types.ts';

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

/** Distinct values, or pairs of them, in the order of their first use, with their positions from 1. */
class Slots {
  /** An array for each parameter of the list. */
  readonly columns: readonly string[][];
  readonly #slots = new Map<string, number>();

  constructor(list: List) {
    this.columns = Array.from({ length: PARAMETERS[list] }, () => []);
  }

  of(...values: readonly string[]): number {
    const name = values.join('\0'); // no value holds NUL
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    for (const [index, value] of values.entries()) this.columns[index]?.push(value);
    const slot = this.#slots.size + 1;
    this.#slots.set(name, slot);
    return slot;
  }
}

/** Several queries in one batch, each value once. */
export interface FactsBatch {
  text(billing: boolean): string;
  readonly parameters: readonly (string | null)[];
  /** Whether a server in recovery answered. */
  readonly isFromStandby: (rows: readonly FactRow[]) => boolean;
  /** The facts of each query, from the statement's rows. */
  facts(rows: readonly FactRow[], state: BillingState): RelayFacts[];
}

/** The facts of the rows, each read once even if several queries share it: by kind, then by position. */
function readRows(rows: readonly FactRow[]) {
  const identity = { key: new Map<number, IdentityFacts>(), directory: new Map<number, IdentityFacts>() };
  const endpoint = new Map<number, EndpointFacts | null>();
  const session = { key: new Map<number, Date | null>(), directory: new Map<number, Date | null>() };
  let force: FactRow = [];
  for (const row of rows) {
    const kind = row[BATCH.kind];
    const slot = Number(row[BATCH.slot]);
    if (kind === 'key' || kind === 'directory') identity[kind].set(slot, identityAt(row, BATCH.identity));
    else if (kind === 'endpoint') endpoint.set(slot, endpointAt(row, BATCH.endpoint));
    else if (kind === 'keySession') session.key.set(slot, instantAt(row, BATCH.session.sessionRevokedAt));
    else if (kind === 'directorySession') session.directory.set(slot, instantAt(row, BATCH.session.sessionRevokedAt));
    else force = row;
  }
  const policy = revisionAt(force, BATCH.force.policy);
  const organizationPolicy = revisionAt(force, BATCH.force.organizationPolicy);
  return { identity, endpoint, session, policy, organizationPolicy };
}

export function factsBatch(queries: readonly RelayQuery[], organization: string | null): FactsBatch {
  const lists: Record<List, Slots> = {
    key: new Slots('key'),
    directory: new Slots('directory'),
    endpoint: new Slots('endpoint'),
    keySession: new Slots('keySession'),
    directorySession: new Slots('directorySession'),
  };
  const asked = queries.map(({ identity, endpoint, session }) => {
    const { kind } = identity;
    const who = kind === 'key' ? identity.digest : askable(identity.subject);
    return {
      kind,
      identity: lists[kind].of(who),
      endpoint: lists.endpoint.of(askable(endpoint)),
      session: session === null ? null : lists[`${kind}Session`].of(who, askable(session)),
    };
  });
  const asking = LISTS.filter((list) => lists[list].columns[0]?.length);
  return {
    text: (billing) => statementFor(asking, billing),
    parameters: [...asking.flatMap((list) => lists[list].columns.map(arrayLiteral)), organization],
    isFromStandby: (rows) => rows.find((row) => row[BATCH.kind] === 'force')?.[BATCH.force.inRecovery] !== 'false',
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
          sessionRevokedAt: session === null ? null : (said.session[kind].get(session) ?? null),
          policy,
          organizationPolicy,
          billing: billingFacts(state, read),
        };
      });
    },
  };
}
