import { errorMessage } from '@gateway/contract/error-code';
import { createLocalJWKSet, type LocalJWKSet } from 'jose';
import * as z from 'zod';
import { type FetchOutcome, type IssuerKeys, UNKNOWN_KEY_MS } from '../oidc/keys.ts';
import { IdentityProviderUnreachable } from '../oidc/transport.ts';

const keySet = z.object({
  keys: z
    .array(z.looseObject({ kty: z.string() }), 'must be a list')
    .min(1, 'must contain a key')
    .max(100, 'must contain at most 100 keys')
    // A private key has no use here, and would be where public ones are distributed.
    .refine((keys) => keys.every((key) => !('d' in key)), 'must contain public keys only')
    .refine((keys) => keys.every(({ kty }) => kty !== 'oct'), 'must contain no shared secret'),
});

/** The keys of a text, or what is wrong with it, as the end of a sentence. */
export function parseKeySet(text: string): { readonly set: LocalJWKSet } | { readonly fault: string } {
  try {
    const parsed = keySet.safeParse(JSON.parse(text));
    if (parsed.success) return { set: createLocalJWKSet(parsed.data) };
    const [issue] = parsed.error.issues;
    return { fault: `contains no JSON Web Key Set: ${[...(issue?.path ?? []), issue?.message].join(' ')}` };
  } catch {
    return { fault: 'is not JSON' };
  }
}

/** Keys from a file that is read again, at most once in 30 seconds, where a token names a key that it did not contain. */
export function createFileKeys(
  read: () => string,
  first: LocalJWKSet,
  now: () => number,
  onFetch: FetchOutcome = () => {},
): IssuerKeys {
  let held = first;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    current: async () => held,
    async newerThan(known) {
      if (held !== known || Math.abs(now() - readAt) < UNKNOWN_KEY_MS) return held;
      readAt = now();
      let parsed: ReturnType<typeof parseKeySet>;
      try {
        parsed = parseKeySet(read());
      } catch (error) {
        parsed = { fault: `cannot be read: ${errorMessage(error)}` };
      }
      onFetch('set' in parsed ? null : `the file ${parsed.fault}`);
      if ('fault' in parsed) throw new IdentityProviderUnreachable(`keysFile ${parsed.fault}`);
      held = parsed.set;
      return held;
    },
  };
}
