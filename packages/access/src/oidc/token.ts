import type { RefusalCode } from '@gateway/contract';
import { errorMessage } from '@gateway/contract/error-code';
import {
  errors,
  type JWSHeaderParameters,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  type LocalJWKSet,
} from 'jose';
import { CLOCK_TOLERANCE_S, claimFault } from './claims.ts';
import { createIssuerKeys, type FetchOutcome, type IssuerKeys } from './keys.ts';
import { createOidcTransport, IdentityProviderUnreachable, type TransportOptions } from './transport.ts';

/** The signature algorithms an identity provider may use (roles-5): never `none`, never a shared secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];

export interface TokenRules {
  readonly issuer: string;
  /** One of these, where there are several. */
  readonly audience: string | readonly string[];
  /** The claim with the subject; `sub` unless OIDC_SUBJECT_CLAIM names another (roles-8). */
  readonly subjectClaim: string;
}

/** Why a token is no proof of identity. The detail is only for the decision log, and contains nothing of the token. */
export interface TokenRefusal {
  readonly ok: false;
  readonly reason: Extract<RefusalCode, `token-${string}` | 'directory-unreachable'>;
  readonly detail: string;
}
export type TokenVerdict = { readonly ok: true; readonly subject: string } | TokenRefusal;

/** Verifies the identity provider's tokens locally (roles-1, roles-6). Nothing a token names is ever fetched. */
export interface TokenVerifier {
  verify(token: string): Promise<TokenVerdict>;
}

export function createTokenVerifier(rules: TokenRules, keys: IssuerKeys, now: () => number): TokenVerifier {
  return {
    async verify(token) {
      const verified = await verifyToken(token, rules, keys, now);
      return verified.ok ? { ok: true, subject: verified.payload[rules.subjectClaim] as string } : verified;
    },
  };
}

/** Verifies a token that names its caller: signature, issuer, audience, times, type, and that it has a subject. */
export async function verifyToken(
  token: string,
  rules: TokenRules,
  keys: IssuerKeys,
  now: () => number,
): Promise<{ readonly ok: true; readonly payload: JWTPayload } | TokenRefusal> {
  try {
    const at = now();
    const { payload, protectedHeader } = await verifySigned(token, keys, {
      algorithms: ALGORITHMS,
      issuer: rules.issuer,
      audience: [rules.audience].flat(),
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['exp', 'iss', 'aud'],
      currentDate: new Date(at),
    });
    const fault = claimFault(payload, protectedHeader, rules.subjectClaim, at);
    return fault ? { ok: false, ...fault } : { ok: true, payload };
  } catch (error) {
    return refusalOf(error);
  }
}

interface Verified {
  readonly payload: JWTPayload;
  readonly protectedHeader: JWSHeaderParameters;
}

/** Verifies with our keys, and once more with newer ones if none of ours signed it and newer ones exist. */
async function verifySigned(token: string, keys: IssuerKeys, options: JWTVerifyOptions): Promise<Verified> {
  let used: LocalJWKSet | null = null;
  const current = async () => {
    used = await keys.current();
    return used;
  };
  try {
    return await verifyWith(current, token, options);
  } catch (error) {
    if (used === null) throw error;
    const newer = await newerKeys(used, keys, error);
    if (newer === used) throw error;
    return verifyWith(async () => newer, token, options);
  }
}

/** Identity providers rotate keys: with a new `kid`, without one (a single key needs none), or under the same `kid`. */
async function newerKeys(used: LocalJWKSet, keys: IssuerKeys, error: unknown): Promise<LocalJWKSet> {
  if (error instanceof errors.JWKSNoMatchingKey) return keys.newerThan(used);
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) return used;
  return keys.newerThan(used).catch(() => used); // the token's key is known: it is refused, with or without an answer
}

async function verifyWith(set: () => Promise<LocalJWKSet>, token: string, options: JWTVerifyOptions) {
  try {
    return await jwtVerify(token, async (header, jws) => (await set())(header, jws), options);
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithEach(error, token, options);
    throw error;
  }
}

/** A token without a key name, or with a name that several keys have, where several keys could have signed it. */
async function verifyWithEach(
  candidates: InstanceType<typeof errors.JWKSMultipleMatchingKeys>,
  token: string,
  options: JWTVerifyOptions,
): Promise<Verified> {
  for await (const key of candidates) {
    try {
      return await jwtVerify(token, key, options);
    } catch (error) {
      // A TypeError: the key is too weak. The next one may still have signed it.
      if (!(error instanceof errors.JWSSignatureVerificationFailed || error instanceof TypeError)) throw error;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

function refusalOf(error: unknown): TokenRefusal {
  const said = errorMessage(error);
  const refuse = (reason: TokenRefusal['reason'], detail = said): TokenRefusal => ({ ok: false, reason, detail });
  if (error instanceof IdentityProviderUnreachable) return refuse('directory-unreachable');
  if (error instanceof errors.JOSEAlgNotAllowed) return refuse('token-algorithm');
  if (error instanceof errors.JWTExpired) return refuse('token-expired');
  if (error instanceof errors.JWTClaimValidationFailed) return refuse(reasonOfClaim(error));
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return refuse('token-malformed');
  // In our own words: the library's message contains the extension's name, which the caller chose.
  if (error instanceof errors.JOSENotSupported)
    return refuse('token-malformed', 'the token needs something that is not supported here');
  // No key, another key, a key that is too weak: in each case the signature is not the identity provider's.
  return refuse('token-signature');
}

function reasonOfClaim({
  claim,
  reason,
}: InstanceType<typeof errors.JWTClaimValidationFailed>): TokenRefusal['reason'] {
  if (claim === 'iss') return 'token-issuer';
  if (claim === 'aud') return 'token-audience';
  return claim === 'nbf' && reason === 'check_failed' ? 'token-not-yet-valid' : 'token-claims';
}

/** The connection to an organization's identity provider, and the required claims of its tokens (roles-5). */
interface IdentityProviderOptions extends TokenRules, TransportOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly onFetch?: FetchOutcome;
}

/** The verifier of one identity provider's tokens. Nothing is fetched before the first token. */
export function createIdentityProvider({
  now = Date.now,
  onFetch,
  ...options
}: IdentityProviderOptions): TokenVerifier {
  const keys = createIssuerKeys(options.issuer, createOidcTransport(options), now, onFetch);
  return createTokenVerifier(options, keys, now);
}
