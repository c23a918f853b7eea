import { isRole } from '@gateway/contract';
import type { Revision } from '../../revision.ts';
import type { EndpointColumn, IdentityColumn, Offsets } from './columns.ts';
import type { BillingFacts, EndpointFacts, RelayFacts, ServedModel } from './types.ts';

/** A row of either form: every value is text. */
export type FactRow = readonly (string | null)[];

/** The billing part of an answer: read, not readable, or not requested. */
export type BillingState = 'read' | 'unavailable' | 'none';

const NO_PATHS: readonly string[] = [];

/** The facts about an identity in a row, and its billing as read. */
export type IdentityFacts = Pick<RelayFacts, 'account' | 'subjectRevoked' | 'roles'> & { readonly read: BillingFacts };

export const NOBODY: IdentityFacts = {
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
