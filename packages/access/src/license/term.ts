import type { LicenseClaims } from './claims.ts';

const DAY_MS = 86_400_000;

/** From how many days before its end a license is warned about (roles-20). */
export const WARNING_DAYS = 30;

/** The state of a license: before its end, in the grace period after it, or past both. */
export type LicenseTerm = 'in-force' | 'in-grace' | 'elapsed';

export function expiryOf(claims: LicenseClaims): Date {
  return new Date(claims.exp * 1000);
}

export function graceEndOf(claims: LicenseClaims): Date {
  return new Date(claims.exp * 1000 + claims.graceDays * DAY_MS);
}

/** @param now milliseconds since 1970 */
export function termOf(claims: LicenseClaims, now: number): LicenseTerm {
  if (now < expiryOf(claims).getTime()) return 'in-force';
  return now < graceEndOf(claims).getTime() ? 'in-grace' : 'elapsed';
}

/**
 * The warning for the operator's log, or null while the end is more than 30 days away.
 * @param now milliseconds since 1970
 */
export function licenseWarning(claims: LicenseClaims, now: number): string | null {
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const term = termOf(claims, now);
  if (term === 'elapsed') {
    return `The license expired on ${day(expiryOf(claims))} and its grace elapsed on ${day(graceEndOf(claims))}: calls are refused. Contact the vendor to renew it.`;
  }
  if (term === 'in-grace') {
    return `The license expired on ${day(expiryOf(claims))}. Calls are served until ${day(graceEndOf(claims))}, then refused. Contact the vendor to renew it.`;
  }
  const days = Math.ceil((expiryOf(claims).getTime() - now) / DAY_MS);
  if (days > WARNING_DAYS) return null;
  return `The license expires on ${day(expiryOf(claims))}, in ${days} ${days === 1 ? 'day' : 'days'}. Contact the vendor to renew it.`;
}
