import type { Revision, Role } from '@gateway/contract';
import type { DatabaseAddress } from '@gateway/database';
import { BILLING } from '#billing';
import { revokedAt } from '../session/lineage.ts';

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

/**
 * The statement behind a relayed call (docs/architecture.md, The life of a relayed call): the identity, the endpoint, the
 * session's revocation, and the policies in force. Every value is text.
 *
 * It has two forms, made of the same parts. A single query has plain parameters and one row (measured: a third faster than the
 * other form). A batch has lists of distinct values; its rows contain kind, position in the list, then the columns of the kind.
 */

const NO_BILLING = { plan: 'null', capReached: 'null', probe: 'null' } as const;

const accountOf = (account: string) => ({
  accountId: `${account}.id::text`,
  username: `${account}.username`,
  origin: `${account}.origin`,
  enabled: `${account}.enabled::text`,
});

const rightsOf = (subject: string) => ({
  subjectRevoked: `exists (select from subject_revocations list where list.subject = ${subject} and list.lifted_at is null)::text`,
  roles: `(select string_agg(held.role, ',') from role_assignments held where held.subject = ${subject})`,
});

const ENDPOINT_VALUES: Values<EndpointColumn> = {
  endpointName: 'endpoint.name',
  active: 'endpoint.active::text',
  modelId: 'model.id::text',
  modelSlug: 'model.slug',
  providerId: 'provider.id::text',
  providerSlug: 'provider.slug',
  baseUrl: 'provider.base_url',
  apiKeyEnv: 'provider.api_key_env',
  apiKeyHeader: 'provider.api_key_header',
  paths: "case when endpoint.paths <> '{}' then array_to_json(endpoint.paths)::text end",
  // The function of migration 44: a subquery would be prepared at each call, also where there is no standby.
  standby: 'case when endpoint.standby_model_id is not null then standby_model(endpoint.standby_model_id) end',
};
const ENDPOINT_TABLES = `endpoints endpoint
  join models model on model.id = endpoint.model_id
  join providers provider on provider.id = model.provider_id`;

/** Milliseconds since 1970 of the earliest revocation among a subject's session and those it descends from. */
const sessionOf = (subject: string, session: string) => ({
  sessionRevokedAt: `(extract(epoch from ${revokedAt(subject, session)}) * 1000)::text`,
});

const forceOf = (organization: string) => ({
  inRecovery: 'pg_is_in_recovery()::text',
  policy: `(select case when restricts then revision || ' ' || extract(epoch from installed_at) end
    from authorization_policies order by revision desc limit 1)`,
  organizationPolicy: `(select (select revision || ' ' || extract(epoch from produced_at) from organization_policies
      where organization_id = organization.id order by revision desc limit 1)
    from organizations organization where organization.slug = ${organization})`,
});

/** What the single form leaves out where the query does not ask for it. */
export interface SingleForm {
  readonly billing: boolean;
  readonly identity: 'key' | 'directory';
  readonly session: boolean;
}

/** Why a key is no longer valid; empty where it is valid. The clock is the database's, in the call's own statement. */
const KEY_STATE =
  "case when key.revoked_at is not null then 'revoked' when key.expires_at <= now() then 'expired' else '' end";

/** Parameters: key digest or federated subject, endpoint name, organization slug, session where one is given. */
export function singleStatement({ billing, identity, session }: SingleForm): string {
  const byKey = identity === 'key';
  const subject = byKey ? 'account.username' : '$1';
  const columns = singleRow({
    ...accountOf('account'),
    keyId: byKey ? 'key.id::text' : 'null',
    keyState: byKey ? KEY_STATE : 'null',
    ...rightsOf(subject),
    ...(billing ? BILLING(subject, 'account') : NO_BILLING),
    ...ENDPOINT_VALUES,
    ...(session ? sessionOf(subject, '$4::text') : { sessionRevokedAt: 'null' }),
    ...forceOf('$3'),
  });
  return `select ${columns.join(', ')}
from (select) one
left join ${
    byKey
      ? "(account_keys key join accounts account on account.id = key.account_id) on key.digest = decode($1, 'hex')"
      : 'accounts account on account.username = $1'
  }
${billing ? 'left join plans plan on plan.id = account.plan_id' : ''}
left join (${ENDPOINT_TABLES}) on endpoint.name = $2`;
}

/** The lists of a batch, in the order of their parameters; the organization's slug follows them. */
export const LISTS = ['key', 'directory', 'endpoint', 'keySession', 'directorySession'] as const;
export type List = (typeof LISTS)[number];

/** The parameters of a list, an array each. A session is queried together with the identity that named it. */
export const PARAMETERS: Readonly<Record<List, number>> = {
  key: 1,
  directory: 1,
  endpoint: 1,
  keySession: 2,
  directorySession: 2,
};

/** The list behind a parameter, as rows of values and positions. */
const asked = (parameter: number, ...values: readonly string[]): string =>
  `unnest(${values.map((_, index) => `$${parameter + index}::text[]`).join(', ')}) with ordinality as asked (${values.join(', ')}, n)`;

/** What an identity's row is made of, by the list that names the identity. */
const IDENTITIES = {
  key: (parameter: number) => `
  select 'key' as kind, asked.n, account.username as subject, key.id as key_id, ${KEY_STATE} as key_state,
    account.id, account.username, account.origin, account.enabled, account.plan_id
  from ${asked(parameter, 'digest')}
  join account_keys key on key.digest = decode(asked.digest, 'hex')
  join accounts account on account.id = key.account_id`,
  directory: (parameter: number) => `
  select 'directory' as kind, asked.n, asked.subject, null::uuid as key_id, null as key_state,
    account.id, account.username, account.origin, account.enabled, account.plan_id
  from ${asked(parameter, 'subject')}
  left join accounts account on account.username = asked.subject`,
};

/** A row of the batch form, as long as those of identities. */
function row(kind: string, slot: string, values: readonly string[]): string {
  const padded = [...values, ...Array<string>(IDENTITY.length - values.length).fill('null')];
  return `select ${[`'${kind}'`, slot, ...padded].join(', ')}`;
}

/**
 * Parameters: the lists that are asked for, then the slug of the organization. A list that is not costs its part of the plan in
 * every batch (measured: 30 per cent of the server's time for two of the four), so there is a text for each set of lists.
 */
export function batchStatement(billing: boolean, lists: readonly List[]): string {
  const parameter = (list: List): number =>
    lists.slice(0, lists.indexOf(list)).reduce((sum, before) => sum + PARAMETERS[before], 1);
  const identities = (['key', 'directory'] as const).filter((kind) => lists.includes(kind));
  const parts = [
    `select kind, n::text, ${valuesOf(IDENTITY, {
      ...accountOf('identity'),
      keyId: 'key_id::text',
      keyState: 'key_state',
      ...rightsOf('identity.subject'),
      ...(billing ? BILLING('identity.subject', 'identity') : NO_BILLING),
    }).join(', ')}
from (${identities.map((kind) => IDENTITIES[kind](parameter(kind))).join(' union all ')}) identity
${billing ? 'left join plans plan on plan.id = identity.plan_id' : ''}`,
    `${row('endpoint', 'asked.n::text', valuesOf(ENDPOINT, ENDPOINT_VALUES))}
from ${asked(parameter('endpoint'), 'name')} join (${ENDPOINT_TABLES}) on endpoint.name = asked.name`,
  ];
  if (lists.includes('keySession')) {
    parts.push(
      `${row('keySession', 'asked.n::text', valuesOf(SESSION, sessionOf('account.username', 'asked.session')))}
from ${asked(parameter('keySession'), 'digest', 'session')}
left join (account_keys key join accounts account on account.id = key.account_id)
  on key.digest = decode(asked.digest, 'hex')`,
    );
  }
  if (lists.includes('directorySession')) {
    parts.push(
      `${row('directorySession', 'asked.n::text', valuesOf(SESSION, sessionOf('asked.subject', 'asked.session')))}
from ${asked(parameter('directorySession'), 'subject', 'session')}`,
    );
  }
  const all = lists.reduce((sum, list) => sum + PARAMETERS[list], 0);
  parts.push(row('force', "'1'", valuesOf(FORCE, forceOf(`$${all + 1}`))));
  return parts.join('\nunion all\n');
}
