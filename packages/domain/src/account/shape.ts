import { isReservedName } from '@gateway/contract';
import { email, line, subject } from '@gateway/contract/fields';
import { hasVisibleEnds } from '@gateway/contract/legible';
import * as z from 'zod';

/** The members of a local account besides its plan. */
export const accountFields = {
  username: subject
    .refine(hasVisibleEnds, 'must begin and end with a visible character')
    .refine(
      (text) => !isReservedName(text),
      'must not be a reserved name: shared-pair, scim, or one that begins with workload:',
    ),
  enabled: z.boolean('must be true or false'),
  displayName: line(200).nullable(),
  email: email.nullable(),
};

/** The same of a new account, and of one in a file: members with a default may be left out. */
export const newAccountFields = {
  username: accountFields.username,
  displayName: accountFields.displayName.default(null),
  email: accountFields.email.default(null),
  enabled: accountFields.enabled.default(true),
};
