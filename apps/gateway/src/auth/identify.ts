import { hash } from 'node:crypto';
import { type Credential, isAccountKey, type Refusal, refusal } from '@gateway/contract';
import type { RelayQuery } from '@gateway/domain/call/facts';
import type { Head } from '../http/head.ts';
import type { IdentityProviderPort } from './ports.ts';

/** The identity that the caller claims: a well-formed proof, not yet a verified one. */
export interface Identified {
  readonly identity: RelayQuery['identity'];
  readonly credential: Exclude<Credential, 'none'>;
}

const SCHEME = 'bearer';

/** The one proof that counts: `Authorization` before `x-api-key`, an empty one is absent (relay-8). */
export function proofOf(head: Head): { readonly text: string; readonly bearer: boolean } | null {
  const bearer = bearerOf(head.authorization.trim());
  if (bearer !== '') return { text: bearer, bearer: true };
  const key = head.apiKey.trim();
  return key === '' ? null : { text: key, bearer: false };
}

/** What follows the scheme, whose letters may be of any case; empty where it is another one. */
function bearerOf(authorization: string): string {
  const blank = authorization.charAt(SCHEME.length);
  if (blank !== ' ' && blank !== '\t') return '';
  const scheme = authorization.slice(0, SCHEME.length);
  return scheme.toLowerCase() === SCHEME ? authorization.slice(SCHEME.length).trim() : '';
}

/** Which kind of proof was presented, for the log. */
export function credentialOf(head: Head): Credential {
  const proof = proofOf(head);
  if (proof === null) return 'none';
  return proof.bearer && looksLikeToken(proof.text) ? 'token' : 'key';
}

/**
 * Reads the proof of identity (relay-7, roles-1). A key is hashed before anything else
 * sees it; a token goes to the identity provider's verification, or is refused where no identity provider is configured.
 */
export function identify(
  head: Head,
  identityProvider: IdentityProviderPort | null,
): Identified | Refusal | Promise<Identified | Refusal> {
  const proof = proofOf(head);
  if (proof === null) return refusal('credentials-missing');
  if (isAccountKey(proof.text)) {
    return { identity: { kind: 'key', digest: hash('sha256', proof.text, 'hex') }, credential: 'key' };
  }
  if (!proof.bearer || !looksLikeToken(proof.text)) return refusal('key-unknown');
  return identityProvider === null ? refusal('directory-absent') : verify(proof.text, identityProvider);
}

async function verify(token: string, identityProvider: IdentityProviderPort): Promise<Identified | Refusal> {
  const outcome = await identityProvider.verify(token);
  if ('code' in outcome) return outcome;
  return { identity: { kind: 'directory', subject: outcome.subject }, credential: 'token' };
}

/** Three parts, as every compact JWS has. */
function looksLikeToken(text: string): boolean {
  return text.split('.', 4).length === 3;
}
