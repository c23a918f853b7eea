import { askBatcher, createBatcher } from '../../../client/batcher.ts';
import { standbyFault } from '../../../client/session-settings.ts';
import { type DatabaseUnavailable, isRefusedStatement, unavailable } from '../../../client/unavailable.ts';
import type { Done } from '../../../wire/connection.ts';
import { createWireLink } from '../../../wire/link.ts';
import {
  askable,
  type BillingState,
  billingFacts,
  endpointAt,
  type FactRow,
  factsBatch,
  identityAt,
  instantAt,
  revisionAt,
} from './batch.ts';
import { type RelayFacts, type RelayFactsOptions, type RelayFactsReader, type RelayQuery, SINGLE } from './columns.ts';
import { singleStatement } from './statement.ts';

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
function singleQuery(
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
