import { claimsIn } from '../organization/subject.ts';
import type { TokenCredential } from './credentials-file.ts';

/** Tokens are refreshed this long before they expire: clocks differ, and a call takes its time to arrive. */
const EARLY_MS = 120_000;
/** Of a token that does not say when it expires. */
const USUAL_LIFETIME_MS = 300_000;

/** When a token expires, by its own claim. */
export function expiryOf(token: string, now: Date): Date {
  const { exp } = claimsIn(token);
  const own = new Date(typeof exp === 'number' ? exp * 1000 : Number.NaN);
  return Number.isNaN(own.getTime()) ? new Date(now.getTime() + USUAL_LIFETIME_MS) : own;
}

/** Also where the file of credentials has an expiry that cannot be read. */
export function isDue({ expiresAt }: Pick<TokenCredential, 'expiresAt'>, now: Date): boolean {
  return !(Date.parse(expiresAt) - now.getTime() >= EARLY_MS);
}

export function hasExpired({ expiresAt }: Pick<TokenCredential, 'expiresAt'>, now: Date): boolean {
  return !(Date.parse(expiresAt) > now.getTime());
}
