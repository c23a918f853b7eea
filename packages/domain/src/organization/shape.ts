import { type DocumentFault, instant, plainName } from '@gateway/contract';
import { slug } from '@gateway/contract/fields';
import * as z from 'zod';

/** The validity of a policy. A null bound is open. */
export interface Validity {
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
}

const validitySchema = z.object({ validFrom: instant.nullish(), validUntil: instant.nullish() });

/** The validity period submitted with a policy, or its fault: a bound that is no instant, an end before the begin. */
export function parseValidity(bounds: {
  readonly validFrom?: unknown;
  readonly validUntil?: unknown;
}): { readonly validity: Validity } | { readonly faults: readonly DocumentFault[] } {
  const parsed = validitySchema.safeParse(bounds);
  if (!parsed.success) {
    return { faults: parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), reason: message })) };
  }
  const [validFrom, validUntil] = [parsed.data.validFrom, parsed.data.validUntil].map((text) =>
    text == null ? null : new Date(text),
  ) as [Date | null, Date | null];
  if (validFrom !== null && validUntil !== null && validFrom >= validUntil) {
    return { faults: [{ path: 'validUntil', reason: 'must be later than validFrom' }] };
  }
  return { validity: { validFrom, validUntil } };
}

/** Slug of an organization: 1 to 64 of `A-Za-z0-9._-`, the first a letter or a digit. */
export function isOrganizationSlug(text: string): boolean {
  return slug.safeParse(text).success;
}

/** Readable name of an organization: 1 to 200 characters, no control character, not blank. */
export function isOrganizationName(text: string): boolean {
  return plainName.safeParse(text).success && text.trim() !== '';
}
