import { createLocalJWKSet, type JWK, type LocalJWKSet } from 'jose';
import * as z from 'zod';
import { describeDirectory, readDocument } from './description.ts';
import type { DirectoryTransport } from './transport.ts';

/** How long what the directory published is used (roles-6). */
export const KEYS_FRESH_MS = 600_000;
/** In the last of these they are asked for again while they serve, so that a directory that is away for a moment refuses nobody. */
export const LAST_MS = 60_000;
/** Tokens that name an unknown key make us ask again at most this often (roles-6): anybody can send such a token. */
export const UNKNOWN_KEY_MS = 30_000;
/** After a failed fetch nobody waits for another one for this long. */
export const RETRY_MS = 2_000;

/** The public keys of a directory, fetched when they are needed, and shared by the requests that wait for them. */
export interface DirectoryKeys {
  /** The keys, at most ten minutes old. Rejects with {@link DirectoryUnreachable}. */
  current(): Promise<LocalJWKSet>;
  /** Newer keys than `known`, where the directory may be asked for some; `known` itself otherwise. */
  newerThan(known: LocalJWKSet): Promise<LocalJWKSet>;
}

/** What is no key, or of a kind that is not understood, is passed over (RFC 7517, section 5). */
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
  /** When discovery was last read; the keys may have been read again since. */
  readonly at: number;
}

/** Called with every fetch: null where it brought keys, else why it brought none, for the operator. */
export type FetchOutcome = (fault: string | null) => void;

/** @param now milliseconds since 1970, of a clock that may jump */
export function createDirectoryKeys(
  issuer: string,
  fetchJson: DirectoryTransport,
  now: () => number,
  heard: FetchOutcome = () => {},
  setting?: string,
): DirectoryKeys {
  let held: Held | null = null;
  let pending: Promise<Held> | null = null;
  let failed: { readonly at: number; readonly error: unknown } | null = null;
  let unknownKeyAt = Number.NEGATIVE_INFINITY;

  const since = (at: number) => Math.abs(now() - at);

  /** One fetch at a time: anybody who asks meanwhile waits for the same one. */
  function share(fetch: () => Promise<Held>): Promise<Held> {
    pending ??= fetch()
      .then((fetched) => {
        failed = null;
        held = fetched;
        heard(null);
        return fetched;
      })
      .catch((error: unknown) => {
        failed = { at: now(), error };
        heard(error instanceof Error ? error.message : String(error));
        throw error;
      })
      .finally(() => {
        pending = null;
      });
    return pending;
  }

  async function discover(): Promise<Held> {
    const at = now();
    const { jwks_uri: address } = await describeDirectory(issuer, fetchJson, setting);
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
        if (age >= KEYS_FRESH_MS - LAST_MS && !lately) share(discover).catch(() => {}); // `heard` is told
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
