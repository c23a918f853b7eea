import { createPublicKey } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import type { z } from 'zod';
import { type LicenseClaims, licenseClaims } from './claims.ts';

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
