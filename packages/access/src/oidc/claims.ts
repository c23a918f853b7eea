import { isReservedName } from '@gateway/contract';
import { hasUnseen } from '@gateway/contract/legible';
import type { JWSHeaderParameters, JWTPayload } from 'jose';

/** Identity and access tokens. A logout token, for example, has the same keys and audience but proves no caller. */
const TYPES: readonly string[] = ['jwt', 'at+jwt'];
/** A larger remaining lifetime is not accepted: identity providers issue tokens for hours. Seconds. */
const LONGEST_S = 366 * 86_400;
/** How far the identity provider's clock and ours may be apart (roles-5), in seconds. */
export const CLOCK_TOLERANCE_S = 60;
const LONGEST_SUBJECT = 255;
/** Members of a header that contain or name a key: the provider's own keys come only from its discovery (attacks and faults). */
const KEYS_OF_ITS_OWN: readonly string[] = ['jwk', 'jku', 'x5u'];

interface ClaimFault {
  readonly reason: 'token-claims' | 'token-not-yet-valid' | 'token-malformed';
  readonly detail: string;
}

/**
 * What the library does not judge of a token whose signature, issuer, audience and times are right.
 * @param now milliseconds since 1970
 */
export function claimFault(
  payload: JWTPayload,
  header: JWSHeaderParameters,
  subjectClaim: string,
  now: number,
): ClaimFault | null {
  if (!isTypeOfProof(header.typ)) return { reason: 'token-malformed', detail: 'the token is of another type' };
  const brought = KEYS_OF_ITS_OWN.find((name) => name in header);
  if (brought !== undefined)
    return { reason: 'token-malformed', detail: `the token brings a key of its own (${brought})` };
  const { exp = 0, iat, events } = payload;
  if (events !== undefined)
    return { reason: 'token-claims', detail: 'the token reports events and identifies no caller' };
  if (exp > now / 1000 + LONGEST_S) return { reason: 'token-claims', detail: 'exp is more than a year ahead' };
  // The library looks only at whether it is a number.
  if (iat !== undefined && iat > now / 1000 + CLOCK_TOLERANCE_S)
    return { reason: 'token-not-yet-valid', detail: 'iat is in the future' };
  return subjectFault(payload[subjectClaim], subjectClaim) ?? verificationFault(payload, subjectClaim);
}

/**
 * A person may enter the address of another at many identity providers, which then say that they did not verify it (OpenID Connect
 * Core 1.0, section 5.1). Some write the flag as a text; many have none, and vouch for all addresses.
 */
function verificationFault(payload: JWTPayload, claim: string): ClaimFault | null {
  const name = `${claim}_verified`;
  const flag = payload[name];
  if (flag === undefined || flag === true || flag === 'true') return null;
  return { reason: 'token-claims', detail: `${claim} is not verified by the identity provider (${name})` };
}

/** Media types are compared without regard to case, and `application/` may be left out (RFC 7515, section 4.1.9). */
function isTypeOfProof(typ: unknown): boolean {
  if (typ === undefined) return true;
  return typeof typ === 'string' && TYPES.includes(typ.toLowerCase().replace(/^application\//, ''));
}

/** A subject identifies a person in the log, in policies and in the database: one line, well-formed, nothing hidden. */
function subjectFault(subject: unknown, claim: string): ClaimFault | null {
  const refuse = (detail: string): ClaimFault => ({ reason: 'token-claims', detail: `${claim} ${detail}` });
  if (typeof subject !== 'string' || subject === '') return refuse('is absent or not a text');
  if (subject.length > LONGEST_SUBJECT) return refuse(`is longer than ${LONGEST_SUBJECT} characters`);
  if (!subject.isWellFormed() || hasUnseen(subject))
    return refuse('contains invisible characters, or half of a character');
  // A workload's subject comes from a rule of the operator, never from a person's token.
  if (isReservedName(subject)) return refuse('is a reserved name');
  if (subject.trim() !== subject) return refuse('begins or ends with a space');
  return null;
}
