import { createPrivateKey, createPublicKey } from 'node:crypto';
import { type Refusal, refusal } from '@gateway/contract';
import { CompactSign, compactVerify, errors } from 'jose';
import * as z from 'zod';

/** A license with a verified signature. `termOf` determines whether it is still valid, at every call. */
export interface License {
  /** The compact JWS, which a workstation sends unchanged (roles-20). */
  readonly text: string;
  readonly claims: LicenseClaims;
}

/** What is wrong with a text that should be a license; the sentence never repeats the text. */
export interface LicenseFault {
  readonly kind: 'unreadable' | 'signature' | 'claims';
  readonly sentence: string;
}

export type LicenseVerdict =
  | { readonly ok: true; readonly license: License }
  | { readonly ok: false; readonly fault: LicenseFault };

const SENTENCES = {
  unreadable: 'it is not a license (a compact JWS is expected)',
  signature: 'its signature is not the one of the vendor this build trusts',
} as const;

/**
 * Checks the form, the signature and the claims of a license. A license that has expired verifies: it is still the vendor's.
 * @param publicKey the vendor's public key, PEM (SPKI)
 */
export async function verifyLicense(text: string, publicKey: string): Promise<LicenseVerdict> {
  try {
    const { payload } = await compactVerify(text, createPublicKey(publicKey), { algorithms: ['EdDSA'] });
    const claims = licenseClaims.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    if (claims.success) return { ok: true, license: { text, claims: claims.data } };
    return { ok: false, fault: { kind: 'claims', sentence: `its claims are wrong: ${nameClaims(claims.error)}` } };
  } catch (error) {
    if (error instanceof errors.JWSSignatureVerificationFailed || error instanceof errors.JOSEAlgNotAllowed) {
      return { ok: false, fault: { kind: 'signature', sentence: SENTENCES.signature } };
    }
    if (error instanceof errors.JOSEError || error instanceof SyntaxError) {
      return { ok: false, fault: { kind: 'unreadable', sentence: SENTENCES.unreadable } };
    }
    throw error;
  }
}

function nameClaims(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.') || 'payload'}: ${message}`).join('; ');
}

/**
 * Signs a license: a compact JWS with EdDSA over Ed25519 (roles-20).
 * @param signingKey the vendor's private key, PEM (PKCS 8)
 * @throws when the claims are not a license's, or the key is not an Ed25519 private key
 */
export async function issueLicense(claims: LicenseClaims, signingKey: string): Promise<string> {
  const key = createPrivateKey(signingKey);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('A license is signed with an Ed25519 private key.');
  const payload = new TextEncoder().encode(JSON.stringify(licenseClaims.parse(claims)));
  return new CompactSign(payload).setProtectedHeader({ alg: 'EdDSA' }).sign(key);
}

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

/** What a license may cover: the relay, agent commands, the workstation control plane (roles-20). */
export const CAPABILITIES = ['inference', 'agent-execution', 'workstation-control'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** Seconds since 1970, up to the end of the year 9999: larger numbers, such as milliseconds, are no times that can be shown. */
const instant = z.int().min(0).max(253_402_300_799);

/**
 * The claims of a deployment license (roles-20). Times are seconds since 1970 (UTC).
 * A capability or a member this version does not know is stored and ignored: a license may be newer than the product.
 */
export const licenseClaims = z.looseObject({
  licensee: z.string().min(1),
  deployment: z.string().min(1),
  /** Distinct subjects served in one UTC calendar month; null: as many as there are. */
  seats: z.int().min(0).nullable(),
  capabilities: z.array(z.string()),
  iat: instant,
  exp: instant,
  /** Days after `exp` during which everything is still served. */
  graceDays: z.int().min(0).max(999_999),
});
export type LicenseClaims = z.infer<typeof licenseClaims>;
