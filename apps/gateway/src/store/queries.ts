import { createLink, createRelayFactsReader, type Link, type RelayFactsOptions } from '@gateway/database/gateway';
import type { FactsPort } from '../auth/ports.ts';
import { DATABASE_BUDGET } from './budget.ts';
import type { DatabaseWatch } from './watch.ts';

/** Milliseconds until a statement gives up on a lock. */
const LOCK_TIMEOUT = 1000;

/** What calls ask of the database. */
export interface Queries {
  readonly facts: FactsPort;
  /** For queries besides the facts: a license's seats, a plan, the text of a policy. */
  readonly link: Link;
  close(): void;
}

export interface QueriesParts extends Omit<RelayFactsOptions, 'budgetMs' | 'onOutcome'> {
  readonly watch: DatabaseWatch;
}

export function openQueries({ watch, ...reading }: QueriesParts): Queries {
  const { address } = reading;
  const reader = createRelayFactsReader({
    ...reading,
    budgetMs: DATABASE_BUDGET,
    onOutcome: (what, error) => watch.outcome(what, error),
  });
  const link = createLink({
    address,
    applicationName: 'gateway checks',
    budgetMs: DATABASE_BUDGET,
    settings: { lock_timeout: LOCK_TIMEOUT },
    isRepeatable: true,
  });
  return {
    facts: {
      read: (query, deadline) => reader.read(query, deadline),
      activeEndpointNames: (deadline) => reader.activeEndpointNames(deadline),
    },
    link: {
      run: (deadline, work) => watch.observe('checks', link.run(deadline, work)),
      cut: () => link.cut(),
    },
    close() {
      reader.close();
      link.cut();
    },
  };
}
