import { hasUnseen } from '@gateway/contract/legible';
import * as z from 'zod';

/** One visible line of text, 1 to `most` characters. */
export function line(most: number) {
  return z
    .string('must be text')
    .min(1, 'must not be empty')
    .max(most, `must have at most ${most} characters`)
    .refine(
      (text) => text.isWellFormed() && !hasUnseen(text),
      'must be one line without control or other invisible characters',
    )
    .refine((text) => text.trim() === text, 'must not begin or end with a space');
}

/** A readable name of anything. */
export const name = line(200);

/** A subject: a local account's username or an identity provider's `sub` (roles-8). */
export const subject = line(255);

/** Identifier of a provider, plan, organization or project. */
export const slug = z
  .string('must be text')
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-", the first a letter or a digit',
  );

/** The reason for revoking a subject or lifting a revocation; stored in the log. */
export const reason = line(300);
