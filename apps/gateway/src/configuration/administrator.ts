import type { Reading, Variable } from '@gateway/configuration';
import { isAccountKey, isWeakAccountKey, LEAST_DISTINCT_DIGITS } from '@gateway/contract';

const RULE = `gwk_ followed by 48 lowercase hexadecimal characters, at least ${LEAST_DISTINCT_DIGITS} of them different`;

const key: Variable = {
  name: 'ADMIN_API_KEY',
  profile: 'both',
  form: RULE,
  fallback: 'required in the hosted build at every start; elsewhere no administrator account is made',
  effect: 'Key of the account admin, which the first start creates. The account gets no role.',
};

export const ADMINISTRATOR_VARIABLES: readonly Variable[] = [key];

/** The administrator's key, or null where it is absent and need not be there (decisions §3). */
export function readAdministratorKey(reading: Reading, required: boolean): string | null {
  const text = required ? reading.required(key) : reading.text(key);
  if (text === null) return null;
  // The value is never shown: one that is nearly right is nearly the key.
  if (!isAccountKey(text)) reading.fault(key, `is not an account key. It must be ${RULE}.`);
  else if (isWeakAccountKey(text)) reading.fault(key, `is too weak. It must be ${RULE}.`);
  return text;
}
