import type { Role } from '@gateway/contract';
import type { DatabaseAddress } from '../../../client/connect.ts';
import type { Revision } from '../../revision.ts';

/** The facts that a relayed call needs from the database. */
export interface RelayQuery {
  /** SHA-256 of the presented account key, hexadecimal, or the subject of a verified identity provider token. */
  readonly identity:
    | { readonly kind: 'key'; readonly digest: string }
    | { readonly kind: 'directory'; readonly subject: string };
  /** First path segment, as the caller wrote it. */
  readonly endpoint: string;
  /** Value of the session header. */
  readonly session: string | null;
}

export interface AccountFacts {
  readonly id: string;
  readonly username: string;
  readonly origin: 'local' | 'directory';
  readonly enabled: boolean;
  /** The key in the query; null for an identity of the identity provider. */
  readonly key: { readonly id: string; readonly revoked: boolean; readonly expired: boolean } | null;
}

/** A model, with the provider that serves it. */
export interface ServedModel {
  readonly modelId: string;
  readonly modelSlug: string;
  readonly provider: {
    readonly id: string;
    readonly slug: string;
    readonly baseUrl: string;
    readonly apiKeyEnv: string | null;
    readonly apiKeyHeader: string | null;
  };
}

export interface EndpointFacts extends ServedModel {
  readonly name: string;
  readonly active: boolean;
  /** Paths that callers may use; empty: all of them. */
  readonly paths: readonly string[];
  /** For calls of which no byte could be sent to the model; of another provider. */
  readonly standby: ServedModel | null;
}

export interface BillingFacts {
  /** Whether a plan is attached to the account. */
  readonly plan: boolean;
  /** Whether this month's spending reached the plan's cap. */
  readonly capReached: boolean;
}

export interface RelayFacts {
  /** Null where the key is unknown, or the federated subject is not registered. */
  readonly account: AccountFacts | null;
  /** Of the account's subject, or of the federated subject even where it is not registered. */
  readonly subjectRevoked: boolean;
  /** When the session or one it descends from was revoked; null: in force, or no session named. */
  readonly sessionRevokedAt: Date | null;
  /** Null where no endpoint has this name. */
  readonly endpoint: EndpointFacts | null;
  readonly roles: readonly Role[];
  /** The authorization policy in force; null where none is, or the newest is empty. */
  readonly policy: Revision | null;
  /** The policy of the served organization. */
  readonly organizationPolicy: Revision | null;
  /** Null where the reader was made without billing; 'unavailable' where the tables of the consumption alone cannot be read. */
  readonly billing: BillingFacts | 'unavailable' | null;
}

export interface RelayFactsOptions {
  readonly address: DatabaseAddress;
  /** Hosted profile: plans and caps are read too. */
  readonly billing: boolean;
  /** Slug of the served organization. */
  readonly organization: string | null;
  /** Milliseconds from a query to its answer, for queries without their own deadline. */
  readonly budgetMs: number;
  /** Called after each reading: of everything, of the names, and of the consumption, whose failure is not reported to callers. */
  readonly onOutcome?: (what: 'facts' | 'names' | 'consumption', error: Error | null) => void;
  /** Sees how many queries share each round trip. */
  readonly onBatch?: (size: number) => void;
}

export interface RelayFactsReader {
  /**
   * @param deadline on the clock of `performance.now()`.
   * @throws DatabaseUnavailable when identity, rights or revocations could not be read in time.
   */
  read(query: RelayQuery, deadline?: number): Promise<RelayFacts>;
  /** Sorted by code point, for the 404 of an unknown endpoint. */
  activeEndpointNames(deadline?: number): Promise<readonly string[]>;
  close(): void;
}
