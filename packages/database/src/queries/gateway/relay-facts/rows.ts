import { isRole } from '@gateway/contract';
import type { Revision } from '../../revision.ts';
import type { BillingFacts, EndpointFacts, RelayFacts } from './types.ts';

/** A row of either form: every value is text. */
export type FactRow = readonly (string | null)[];

/** How the billing of an answer stands: read, not readable, or not asked for. */
export type BillingState = 'read' | 'unavailable' | 'none';

const NO_PATHS: readonly string[] = [];

/** What a row says about an identity, and its billing as it was read. */
export type IdentityFacts = Pick<RelayFacts, 'account' | 'subjectRevoked' | 'roles'> & { readonly read: BillingFacts };

export const NOBODY: IdentityFacts = {
  account: null,
  subjectRevoked: false,
  roles: [],
  read: { plan: false, capReached: false },
};

/** Columns: account (4), key (2), rights (2), billing (3). */
export function identityAt(row: FactRow, start: number): IdentityFacts {
  const [id, username, origin, enabled, keyId, keyState, revoked, roles, plan, capReached] = row.slice(
    start,
    start + 10,
  );
  const key = keyId ? { id: keyId, revoked: keyState === 'revoked', expired: keyState === 'expired' } : null;
  return {
    account:
      id && username
        ? { id, username, origin: origin === 'directory' ? 'directory' : 'local', enabled: enabled === 'true', key }
        : null,
    subjectRevoked: revoked === 'true',
    roles: roles ? [...new Set(roles.split(','))].filter(isRole) : [],
    read: { plan: plan === 'true', capReached: capReached === 'true' },
  };
}

/** Columns: endpoint (2), model (2), provider (5), paths (1). Null where the row found none. */
export function endpointAt(row: FactRow, start: number): EndpointFacts | null {
  const [name, active, modelId, modelSlug, id, slug, baseUrl, apiKeyEnv, apiKeyHeader, paths] = row.slice(
    start,
    start + 10,
  );
  if (!name || !modelId || !modelSlug || !id || !slug || !baseUrl) return null;
  const provider = { id, slug, baseUrl, apiKeyEnv: apiKeyEnv ?? null, apiKeyHeader: apiKeyHeader ?? null };
  return {
    name,
    active: active === 'true',
    modelId,
    modelSlug,
    provider,
    paths: paths ? (JSON.parse(paths) as string[]) : NO_PATHS,
  };
}

export function numberAt(row: FactRow, place: number): number | null {
  const text = row[place];
  return text == null ? null : Number(text);
}

/** A revision: its number, and when it was installed. */
export function revisionAt(row: FactRow, place: number): Revision | null {
  const [number, installedAt] = row[place]?.split(' ') ?? [];
  return installedAt === undefined ? null : { number: Number(number), installedAt };
}

/** An instant of milliseconds since 1970; the database keeps microseconds. */
export function instantAt(row: FactRow, place: number): Date | null {
  const milliseconds = numberAt(row, place);
  return milliseconds === null ? null : new Date(Math.floor(milliseconds));
}

export function billingFacts(state: BillingState, read: BillingFacts): RelayFacts['billing'] {
  if (state === 'read') return read;
  return state === 'unavailable' ? 'unavailable' : null;
}

/** What cannot be kept in a text column (NUL) names nothing either: it is asked for as the empty name. */
export function askable(text: string): string {
  return text.includes('\0') ? '' : text.toWellFormed();
}
