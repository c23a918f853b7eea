import { errorMessage } from '@gateway/contract/error-code';
import { createLocalJWKSet, type LocalJWKSet } from 'jose';
import * as z from 'zod';
import { CLOCK_TOLERANCE_S } from './claims.ts';
import { createIssuerKeys, type FetchOutcome, type IssuerKeys, UNKNOWN_KEY_MS } from './keys.ts';
import { type TokenRefusal, type TokenVerdict, verifyToken } from './token.ts';
import { createOidcTransport, IdentityProviderUnreachable, type TransportOptions } from './transport.ts';
import { claimAt, claimMatches, subjectOf, type WorkloadRule } from './workload-rules.ts';

/** Verifies tokens of one issuer of workloads. The first rule whose audience and claims fit names the subject. */
export function createWorkloadVerifier(
  rules: readonly WorkloadRule[],
  keys: IssuerKeys,
  now: () => number,
): (token: string) => Promise<TokenVerdict> {
  const [first] = rules;
  if (first === undefined) throw new Error('an issuer has at least one rule');
  const { issuer } = first;
  const audience = [...new Set(rules.map((rule) => rule.audience))];
  return async (token) => {
    const verified = await verifyToken(token, { issuer, audience, subjectClaim: 'sub' }, keys, now);
    if (!verified.ok) return verified;
    const { payload } = verified;
    let refused: TokenRefusal | null = null;
    for (const rule of rules) {
      const fault = ruleFault(rule, payload, now());
      if (fault === null) {
        const named = subjectOf(rule.subject, payload);
        if ('subject' in named) return { ok: true, subject: named.subject };
        refused ??= refusal('token-claims', `${rule.name}: ${named.fault}`);
      } else refused ??= fault;
    }
    return refused ?? refusal('token-claims', 'no rule fits');
  };
}

const refusal = (reason: TokenRefusal['reason'], detail: string): TokenRefusal => ({ ok: false, reason, detail });

/** Why a rule does not take a token whose signature and issuer are right. The values of the token are not repeated. */
function ruleFault(rule: WorkloadRule, payload: Readonly<Record<string, unknown>>, at: number): TokenRefusal | null {
  const { name, audience, claims, maximumAgeSeconds } = rule;
  if (![payload['aud']].flat().includes(audience)) return refusal('token-audience', `${name}: the audience is another`);
  const { iat } = payload;
  if (typeof iat !== 'number') return refusal('token-claims', `${name}: iat is absent`);
  if (iat < at / 1000 - maximumAgeSeconds - CLOCK_TOLERANCE_S) {
    return refusal(
      'token-expired',
      `${name}: the token is older than ${maximumAgeSeconds} seconds (maximumAgeSeconds)`,
    );
  }
  const other = Object.entries(claims).find(([claim, patterns]) => !claimMatches(claimAt(payload, claim), patterns));
  return other === undefined ? null : refusal('token-claims', `${name}: the claim ${other[0]} is not as required`);
}

/** The unverified issuer of a token: it only selects the keys and rules to use. Null for none. */
export function readIssuer(token: string): string | null {
  const [, payload = ''] = token.split('.', 3);
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (typeof claims !== 'object' || claims === null || !Object.hasOwn(claims, 'iss')) return null;
    const { iss } = claims as { readonly iss: unknown };
    return typeof iss === 'string' ? iss : null;
  } catch {
    return null;
  }
}

/** One issuer of workloads' tokens: its rules, and the source of its keys. */
export interface WorkloadSource {
  readonly issuer: string;
  readonly rules: readonly WorkloadRule[];
  readonly keys:
    | { readonly kind: 'fetched'; readonly ca: readonly string[] }
    | { readonly kind: 'file'; readonly first: LocalJWKSet; readonly read: () => string };
}

export interface Workloads {
  /** The decision on a token of one of the issuers; null for a token of another issuer. */
  verify(token: string): Promise<TokenVerdict> | null;
}

/** @param transport the connection to issuers, and the authorities that apply to all of them */
export function createWorkloads(
  sources: readonly WorkloadSource[],
  transport: Omit<TransportOptions, 'ca'> & { readonly ca: readonly string[] },
  onFetch: (issuer: string) => FetchOutcome,
  now: () => number,
): Workloads {
  const verifiers = new Map(
    sources.map(({ issuer, rules, keys: from }) => {
      const keys =
        from.kind === 'file'
          ? createFileKeys(from.read, from.first, now, onFetch(issuer))
          : createIssuerKeys(
              issuer,
              createOidcTransport({ ...transport, ca: [...transport.ca, ...from.ca] }),
              now,
              onFetch(issuer),
              'the issuer in GATEWAY_WORKLOADS_FILE',
            );
      return [issuer, createWorkloadVerifier(rules, keys, now)] as const;
    }),
  );
  return {
    verify(token) {
      const issuer = readIssuer(token);
      return issuer === null ? null : (verifiers.get(issuer)?.(token) ?? null);
    },
  };
}

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
