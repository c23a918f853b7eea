import { isRole } from '@gateway/contract';
import { arrayLiteral } from '../../../client/array-literal.ts';
import type { Revision } from '../../../client/lineage.ts';
import {
  BATCH,
  type BillingFacts,
  type EndpointColumn,
  type EndpointFacts,
  type IdentityColumn,
  type Offsets,
  type RelayFacts,
  type RelayQuery,
  type ServedModel,
} from './columns.ts';
import { batchStatement, LISTS, type List, PARAMETERS } from './statement.ts';

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

/** A row of either form: every value is text. */
export type FactRow = readonly (string | null)[];

/** The billing part of an answer: read, not readable, or not requested. */
export type BillingState = 'read' | 'unavailable' | 'none';

const NO_PATHS: readonly string[] = [];

/** The facts about an identity in a row, and its billing as read. */
type IdentityFacts = Pick<RelayFacts, 'account' | 'subjectRevoked' | 'roles'> & { readonly read: BillingFacts };

const NOBODY: IdentityFacts = {
  account: null,
  subjectRevoked: false,
  roles: [],
  read: { plan: false, capReached: false },
};

export function identityAt(row: FactRow, at: Offsets<IdentityColumn>): IdentityFacts {
  const [id, username, keyId, roles] = [row[at.accountId], row[at.username], row[at.keyId], row[at.roles]];
  const keyState = row[at.keyState];
  const key = keyId ? { id: keyId, revoked: keyState === 'revoked', expired: keyState === 'expired' } : null;
  const origin = row[at.origin] === 'directory' ? 'directory' : 'local';
  return {
    account: id && username ? { id, username, origin, enabled: row[at.enabled] === 'true', key } : null,
    subjectRevoked: row[at.subjectRevoked] === 'true',
    roles: roles ? [...new Set(roles.split(','))].filter(isRole) : [],
    read: { plan: row[at.plan] === 'true', capReached: row[at.capReached] === 'true' },
  };
}

/** Null for a row without one. */
export function endpointAt(row: FactRow, at: Offsets<EndpointColumn>): EndpointFacts | null {
  const [name, modelId, modelSlug] = [row[at.endpointName], row[at.modelId], row[at.modelSlug]];
  const [id, slug, baseUrl, paths] = [row[at.providerId], row[at.providerSlug], row[at.baseUrl], row[at.paths]];
  if (!name || !modelId || !modelSlug || !id || !slug || !baseUrl) return null;
  const standby = row[at.standby];
  const [apiKeyEnv, apiKeyHeader] = [row[at.apiKeyEnv] ?? null, row[at.apiKeyHeader] ?? null];
  return {
    name,
    active: row[at.active] === 'true',
    modelId,
    modelSlug,
    provider: { id, slug, baseUrl, apiKeyEnv, apiKeyHeader },
    paths: paths ? (JSON.parse(paths) as string[]) : NO_PATHS,
    standby: standby ? (JSON.parse(standby) as ServedModel) : null,
  };
}

/** A revision: its number, and when it was installed. */
export function revisionAt(row: FactRow, offset: number): Revision | null {
  const [number, installedAt] = row[offset]?.split(' ') ?? [];
  return installedAt === undefined ? null : { number: Number(number), installedAt };
}

/** An instant of milliseconds since 1970; the database keeps microseconds. */
export function instantAt(row: FactRow, offset: number): Date | null {
  const milliseconds = row[offset];
  return milliseconds == null ? null : new Date(Math.floor(Number(milliseconds)));
}

export function billingFacts(state: BillingState, read: BillingFacts): RelayFacts['billing'] {
  if (state === 'read') return read;
  return state === 'unavailable' ? 'unavailable' : null;
}

/** A name that a text column cannot store (NUL) matches nothing: it is queried as the empty name. */
export function askable(text: string): string {
  return text.includes('\0') ? '' : text.toWellFormed();
}
