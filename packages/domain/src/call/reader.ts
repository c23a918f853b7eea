import type { Revision } from '@gateway/contract';
import { isRole } from '@gateway/contract';
import type { DatabaseUnavailable } from '@gateway/database';
import { arrayLiteral } from '@gateway/database/client/array-literal';
import { askBatcher, createBatcher } from '@gateway/database/client/batcher';
import { standbyFault } from '@gateway/database/client/session-settings';
import { isRefusedStatement, unavailable } from '@gateway/database/client/unavailable';
import type { Done } from '@gateway/database/wire/connection';
import { createWireLink } from '@gateway/database/wire/link';
import {
  BATCH,
  type BillingFacts,
  batchStatement,
  type EndpointColumn,
  type EndpointFacts,
  type IdentityColumn,
  LISTS,
  type List,
  type Offsets,
  PARAMETERS,
  type RelayFacts,
  type RelayFactsOptions,
  type RelayFactsReader,
  type RelayQuery,
  type ServedModel,
  SINGLE,
  singleStatement,
} from './facts.ts';

const statements = new Map<string, string>();

/** The text for this kind of query, always the same string, so that the server has it prepared. */
function statementForCall({ identity, session }: RelayQuery, billing: boolean): string {
  const name = `${billing} ${identity.kind} ${session !== null}`;
  let text = statements.get(name);
  if (text === undefined) {
    text = singleStatement({ billing, identity: identity.kind, session: session !== null });
    statements.set(name, text);
  }
  return text;
}

/** A single query. */
function singleQuery(
  query: RelayQuery,
  organization: string | null,
  billing: boolean,
): { readonly text: string; readonly parameters: readonly (string | null)[] } {
  const { identity, endpoint, session } = query;
  const who = identity.kind === 'key' ? identity.digest : askable(identity.subject);
  const parameters = [who, askable(endpoint), organization];
  return {
    text: statementForCall(query, billing),
    parameters: session === null ? parameters : [...parameters, askable(session)],
  };
}

/** Whether a server in recovery answered. */
const isSingleFromStandby = (rows: readonly FactRow[]): boolean => rows[0]?.[SINGLE.inRecovery] !== 'false';

function singleFacts(row: FactRow, state: BillingState): RelayFacts {
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

/** Queries of one round trip. Further concurrent callers wait for the next. */
const LIMIT = 256;

/** How long a table may be locked before it counts as unreadable: two attempts and the record fit into the budget of 5 s. */
const LOCK_TIMEOUT_MS = 1000;

/**
 * Index access to every row, for any table size: the plan is made once, perhaps on empty tables, and must still be good with ten
 * million records.
 */
const LOOK_UP_BY_INDEX = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
  join_collapse_limit: 1,
  from_collapse_limit: 1,
};

/**
 * Reads the facts for a relayed call, fresh for every request (roles-15), in one round trip for concurrent requests.
 *
 * Faults. Server stopped or unreachable: refused at once. Frozen, or slower than the budget: refused at the deadline, the
 * connection destroyed, the next query on a new one. A lock: the server cancels the statement after a second. Only the tables of
 * the consumption locked or lost: the rest is read again without them, so that every other cause of refusal is still found first,
 * and the billing is 'unavailable'.
 */
export function createRelayFactsReader(options: RelayFactsOptions): RelayFactsReader {
  const { address, billing, organization, budgetMs, onBatch, onOutcome = () => {} } = options;
  const link = createWireLink({
    address,
    applicationName: 'gateway relay facts',
    budgetMs,
    settings: { lock_timeout: LOCK_TIMEOUT_MS, default_transaction_read_only: 'on', ...LOOK_UP_BY_INDEX },
  });

  /** Rows with the billing where it is requested and can be read, otherwise without. */
  function rowsOf(query: (billing: boolean) => Query, deadline: number, read: Read): void {
    const run = (withBilling: boolean, done: Done): void => {
      const { text, parameters, isFromStandby } = query(withBilling);
      link.execute(text, parameters, deadline, (error, replies) => {
        if (error === null && isFromStandby(replies[0]?.rows ?? [])) {
          link.cut();
          done(standbyFault(), []);
        } else done(error, replies);
      });
    };
    const without = (state: BillingState): void =>
      run(false, (error, [reply]) => {
        onOutcome('facts', error);
        read(error === null ? null : unavailable(error), reply?.rows ?? [], state);
      });
    if (!billing) {
      without('none');
      return;
    }
    run(true, (error, [reply]) => {
      onOutcome('consumption', error);
      // Where the server refused the statement (a lock, a missing table), the rest may still be read.
      if (isRefusedStatement(error)) without('unavailable');
      else {
        onOutcome('facts', error);
        read(error === null ? null : unavailable(error), reply?.rows ?? [], 'read');
      }
    });
  }

  const facts = createBatcher<RelayQuery, RelayFacts>({
    limit: LIMIT,
    ...(onBatch && { onBatch }),
    answer(queries, deadline, answered) {
      const [alone] = queries;
      if (alone && queries.length === 1) {
        rowsOf(
          (withBilling) => ({
            ...singleQuery(alone, organization, withBilling),
            isFromStandby: isSingleFromStandby,
          }),
          deadline,
          (error, rows, state) => answered(error, error === null ? rows.map((row) => singleFacts(row, state)) : []),
        );
        return;
      }
      const batch = factsBatch(queries, organization);
      const { parameters, isFromStandby } = batch;
      rowsOf(
        (withBilling) => ({ text: batch.text(withBilling), parameters, isFromStandby }),
        deadline,
        (error, rows, state) => answered(error, error === null ? batch.facts(rows, state) : []),
      );
    },
  });
  const namesLink = createWireLink({
    address,
    applicationName: 'gateway endpoint names',
    budgetMs,
    settings: { lock_timeout: LOCK_TIMEOUT_MS },
  });
  const names = createBatcher<null, readonly string[]>({
    limit: LIMIT,
    answer(queries, deadline, answered) {
      namesLink.execute(NAMES, [], deadline, (error, [reply]) => {
        onOutcome('names', error);
        const sorted = (reply?.rows ?? []).map(([name]) => name ?? '');
        answered(
          error === null ? null : unavailable(error),
          queries.map(() => sorted),
        );
      });
    },
  });
  return {
    read: (query, deadline = performance.now() + budgetMs) => askBatcher(facts, query, deadline),
    activeEndpointNames: (deadline = performance.now() + budgetMs) => askBatcher(names, null, deadline),
    close() {
      link.cut();
      namesLink.cut();
    },
  };
}

interface Query {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
  /** Whether a server in recovery answered: a proxy may have exchanged the server behind an open connection. */
  readonly isFromStandby: (rows: readonly FactRow[]) => boolean;
}

/** Receives the rows, or the cause why there are none. */
type Read = (error: DatabaseUnavailable | null, rows: readonly FactRow[], state: BillingState) => void;

const NAMES = 'select name from endpoints where active order by name collate "C"';

/** The text for these lists, always the same string, so that the server has it prepared. */
function statementForBatch(lists: readonly List[], billing: boolean): string {
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
interface FactsBatch {
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

function factsBatch(queries: readonly RelayQuery[], organization: string | null): FactsBatch {
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
    text: (billing) => statementForBatch(asking, billing),
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
type FactRow = readonly (string | null)[];

/** The billing part of an answer: read, not readable, or not requested. */
type BillingState = 'read' | 'unavailable' | 'none';

const NO_PATHS: readonly string[] = [];

/** The facts about an identity in a row, and its billing as read. */
type IdentityFacts = Pick<RelayFacts, 'account' | 'subjectRevoked' | 'roles'> & { readonly read: BillingFacts };

const NOBODY: IdentityFacts = {
  account: null,
  subjectRevoked: false,
  roles: [],
  read: { plan: false, capReached: false },
};

function identityAt(row: FactRow, at: Offsets<IdentityColumn>): IdentityFacts {
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
function endpointAt(row: FactRow, at: Offsets<EndpointColumn>): EndpointFacts | null {
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
function revisionAt(row: FactRow, offset: number): Revision | null {
  const [number, installedAt] = row[offset]?.split(' ') ?? [];
  return installedAt === undefined ? null : { number: Number(number), installedAt };
}

/** An instant of milliseconds since 1970; the database keeps microseconds. */
function instantAt(row: FactRow, offset: number): Date | null {
  const milliseconds = row[offset];
  return milliseconds == null ? null : new Date(Math.floor(Number(milliseconds)));
}

function billingFacts(state: BillingState, read: BillingFacts): RelayFacts['billing'] {
  if (state === 'read') return read;
  return state === 'unavailable' ? 'unavailable' : null;
}

/** A name that a text column cannot store (NUL) matches nothing: it is queried as the empty name. */
function askable(text: string): string {
  return text.includes('\0') ? '' : text.toWellFormed();
}
