import { type Refusal, refusal } from '@gateway/contract';
import type { Capability, LicenseClaims } from './claims.ts';
import { termOf } from './term.ts';

/**
 * Why a license does not cover a call, or null where it does (refusals-10). Seats are counted by the database.
 * @param now milliseconds since 1970
 */
export function licenseRefusal(
  claims: LicenseClaims,
  capability: Capability,
  now: number,
): Refusal<'license-expired' | 'license-capability'> | null {
  if (termOf(claims, now) === 'elapsed') return refusal('license-expired');
  if (!claims.capabilities.includes(capability))
    return refusal('license-capability', { details: { name: capability } });
  return null;
}
