import type { ZodError } from 'zod';
import * as z from 'zod';
import { EMAIL_ADDRESS } from './email-address.ts';
import { hasUnseen } from './legible.ts';

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

/** The e-mail address of a person, which is displayed and never used. */
export const email = line(320).regex(EMAIL_ADDRESS, 'must be an e-mail address');

/** Identifier of a provider, plan, organization or project. */
export const slug = z
  .string('must be text')
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must be 1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-", the first a letter or a digit',
  );

/** The reason for revoking a subject or lifting a revocation; stored in the log. */
export const reason = line(300);

/** One fault of an input: its path, and a sentence that continues after the path. The value itself is never repeated. */
export interface InputFault {
  readonly path: readonly (string | number)[];
  readonly sentence: string;
}

/** Every fault of an input. A member that the shape lacks is a fault of its own, under its own name. */
export function faultsIn(error: ZodError): readonly InputFault[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    if (issue.code !== 'unrecognized_keys') return [{ path, sentence: sentenceOf(issue) }];
    return issue.keys.map((key) => ({ path: [...path, key], sentence: 'is not known here' }));
  });
}

const KINDS: Readonly<Record<string, string>> = { boolean: 'true or false', string: 'text' };

/** The shape's own message, otherwise a sentence that replaces the library's. */
function sentenceOf(issue: ZodError['issues'][number]): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    const kind = KINDS[issue.expected] ?? `of type ${issue.expected}`;
    return issue.message.endsWith('received undefined') ? 'is missing' : `must be ${kind}`;
  }
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) return 'must not be empty';
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    return `must have at most ${issue.maximum} characters`;
  }
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid option')) {
    return `must be one of ${issue.values.map(String).join(', ')}`;
  }
  return issue.message;
}

/** A list in which no two entries have one name. */
export function listOfNamed<Item extends z.ZodType>(item: Item, nameOf: (item: z.output<Item>) => string) {
  return z.array(item, 'must be a list').superRefine((items, context) => {
    const seen = new Set<string>();
    for (const [index, each] of items.entries()) {
      const text = nameOf(each);
      if (seen.has(text)) context.addIssue({ code: 'custom', path: [index], message: 'is in the list twice' });
      seen.add(text);
    }
  });
}
