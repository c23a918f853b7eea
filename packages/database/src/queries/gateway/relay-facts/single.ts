import { SINGLE } from './columns.ts';
import {
  askable,
  type BillingState,
  billingFacts,
  endpointAt,
  type FactRow,
  identityAt,
  instantAt,
  revisionAt,
} from './rows.ts';
import { singleStatement } from './statement.ts';
import type { RelayFacts, RelayQuery } from './types.ts';

const statements = new Map<string, string>();

/** The text for this kind of query, always the same string, so that the server has it prepared. */
function statementFor({ identity, session }: RelayQuery, billing: boolean): string {
  const name = `${billing} ${identity.kind} ${session !== null}`;
  let text = statements.get(name);
  if (text === undefined) {
    text = singleStatement({ billing, identity: identity.kind, session: session !== null });
    statements.set(name, text);
  }
  return text;
}

/** A single query. */
export function singleQuery(
  query: RelayQuery,
  organization: string | null,
  billing: boolean,
): { readonly text: string; readonly parameters: readonly (string | null)[] } {
  const { identity, endpoint, session } = query;
  const who = identity.kind === 'key' ? identity.digest : askable(identity.subject);
  const parameters = [who, askable(endpoint), organization];
  return {
    text: statementFor(query, billing),
    parameters: session === null ? parameters : [...parameters, askable(session)],
  };
}

/** Whether a server in recovery answered. */
export const isSingleFromStandby = (rows: readonly FactRow[]): boolean => rows[0]?.[SINGLE.inRecovery] !== 'false';

export function singleFacts(row: FactRow, state: BillingState): RelayFacts {
  const { read, ...identity } = identityAt(row, SINGLE);
  return {
    ...identity,
    endpoint: endpointAt(row, SINGLE),
    sessionRevokedAt: instantAt(row, SINGLE.sessionRevokedAt),
    policy: revisionAt(row, SINGLE.policy),
    organizationPolicy: revisionAt(row, SINGLE.organizationPolicy),
    billing: billingFacts(state, read),
  };
}
