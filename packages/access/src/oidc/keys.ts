import { errorMessage } from '@gateway/contract/error-code';
import { createLocalJWKSet, type JWK, type LocalJWKSet } from 'jose';
import * as z from 'zod';
import { discoverIdentityProvider, type OidcTransport, readDocument } from './transport.ts';

/** How long published keys are used (roles-6). */
export const KEYS_FRESH_MS = 600_000;
/** In these last milliseconds the keys are fetched again while they are used, so that a short outage refuses no caller. */
export const LAST_MS = 60_000;
/** Minimum interval between fetches for tokens with an unknown key (roles-6), because any caller can send such tokens. */
export const UNKNOWN_KEY_MS = 30_000;
/** After a failed fetch, no caller waits for another one for this time. */
export const RETRY_MS = 2_000;

/** The public keys of an identity provider, fetched on demand, and shared by the requests that wait for them. */
export interface IssuerKeys {
  /** The keys, at most ten minutes old. Rejects with {@link IdentityProviderUnreachable}. */
  current(): Promise<LocalJWKSet>;
  /** Newer keys than `known`, if the identity provider may be asked for them; otherwise `known` itself. */
  newerThan(known: LocalJWKSet): Promise<LocalJWKSet>;
}

/** Entries that are no keys, or of an unknown kind, are ignored (RFC 7517, section 5). */
const keySet = z.object({
  keys: z
    .array(z.unknown())
    .max(100)
    .transform((keys) => keys.filter(isKey)),
});

function isKey(value: unknown): value is JWK {
  return typeof value === 'object' && value !== null && 'kty' in value && typeof value.kty === 'string';
}

interface Held {
  readonly set: LocalJWKSet;
  readonly address: string;
  /** When discovery was last read; the keys may have been fetched since. */
  readonly at: number;
}

/** Called after every fetch: null for success, otherwise the cause, for the operator. */
export type FetchOutcome = (fault: string | null) => void;

/** @param now milliseconds since 1970, of a clock that may jump */
export function createIssuerKeys(
  issuer: string,
  fetchJson: OidcTransport,
  now: () => number,
  onFetch: FetchOutcome = () => {},
  setting?: string,
): IssuerKeys {
  let held: Held | null = null;
  let pending: Promise<Held> | null = null;
  let failed: { readonly at: number; readonly error: unknown } | null = null;
  let unknownKeyAt = Number.NEGATIVE_INFINITY;

  const since = (at: number) => Math.abs(now() - at);

  /** One fetch at a time: concurrent callers share it. */
  function share(fetch: () => Promise<Held>): Promise<Held> {
    pending ??= fetch()
      .then((fetched) => {
        failed = null;
        held = fetched;
        onFetch(null);
        return fetched;
      })
      .catch((error: unknown) => {
        failed = { at: now(), error };
        onFetch(errorMessage(error));
        throw error;
      })
      .finally(() => {
        pending = null;
      });
    return pending;
  }

  async function discover(): Promise<Held> {
    const at = now();
    const { jwks_uri: address } = await discoverIdentityProvider(issuer, fetchJson, setting);
    return { set: await fetchKeys(address), address, at };
  }

  async function fetchKeys(address: string): Promise<LocalJWKSet> {
    return createLocalJWKSet(readDocument(keySet, await fetchJson(address), `${address}: the key set`));
  }

  return {
    async current() {
      const age = held ? since(held.at) : Number.POSITIVE_INFINITY;
      const lately = failed && since(failed.at) < RETRY_MS ? failed : null;
      if (held && age < KEYS_FRESH_MS) {
        if (age >= KEYS_FRESH_MS - LAST_MS && !lately) share(discover).catch(() => {}); // the failure is passed to `onFetch`
        return held.set;
      }
      if (!pending && lately) throw lately.error;
      return (await share(discover)).set;
    },
    async newerThan(known) {
      if (held && held.set !== known) return held.set;
      const before = held;
      if (pending || before === null) return (await share(discover)).set;
      if (since(unknownKeyAt) < UNKNOWN_KEY_MS) {
        if (failed) throw failed.error;
        return known;
      }
      unknownKeyAt = now();
      return (await share(async () => ({ ...before, set: await fetchKeys(before.address) }))).set;
    },
  };
}
