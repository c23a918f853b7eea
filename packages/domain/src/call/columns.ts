import type { Role } from '@gateway/contract';
import type { DatabaseAddress } from '@gateway/database';
import type { Revision } from '../policy/rules.ts';

/** The columns of a row, in their order. Select lists and readers are both made of these lists, so that they cannot disagree. */
export const HEAD = ['kind', 'slot'] as const;
const BILLING_COLUMNS = ['plan', 'capReached', 'probe'] as const;
export const IDENTITY = [
  'accountId',
  'username',
  'origin',
  'enabled',
  'keyId',
  'keyState',
  'subjectRevoked',
  'roles',
  ...BILLING_COLUMNS,
] as const;
export const ENDPOINT = [
  'endpointName',
  'active',
  'modelId',
  'modelSlug',
  'providerId',
  'providerSlug',
  'baseUrl',
  'apiKeyEnv',
  'apiKeyHeader',
  'paths',
  'standby',
] as const;
export const SESSION = ['sessionRevokedAt'] as const;
export const FORCE = ['inRecovery', 'policy', 'organizationPolicy'] as const;

export type IdentityColumn = (typeof IDENTITY)[number];
export type EndpointColumn = (typeof ENDPOINT)[number];

/** The SQL expression of each column. */
export type Values<Name extends string> = Readonly<Record<Name, string>>;
/** The position of each column in a row. */
export type Offsets<Name extends string> = Readonly<Record<Name, number>>;

/** @param before columns before the first of these */
export function offsetsOf<Name extends string>(names: readonly Name[], before = 0): Offsets<Name> {
  return Object.fromEntries(names.map((name, index) => [name, before + index])) as Record<Name, number>;
}

export function valuesOf<Name extends string>(names: readonly Name[], values: Values<Name>): readonly string[] {
  return names.map((name) => values[name]);
}

/** The row of a single query. */
const SINGLE_ROW = [...IDENTITY, ...ENDPOINT, ...SESSION, ...FORCE] as const;
export const SINGLE = offsetsOf(SINGLE_ROW);

export function singleRow(values: Values<(typeof SINGLE_ROW)[number]>): readonly string[] {
  return valuesOf(SINGLE_ROW, values);
}

/** Rows of several queries: after kind and position, the columns of the kind. */
export const BATCH = {
  ...offsetsOf(HEAD),
  identity: offsetsOf(IDENTITY, HEAD.length),
  endpoint: offsetsOf(ENDPOINT, HEAD.length),
  session: offsetsOf(SESSION, HEAD.length),
  force: offsetsOf(FORCE, HEAD.length),
} as const;

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
