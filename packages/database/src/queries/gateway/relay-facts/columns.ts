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
