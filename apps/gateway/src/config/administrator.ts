import type { Reading, Variable } from '@gateway/configuration';
import { isAccountKey, isWeakAccountKey, LEAST_DISTINCT_DIGITS } from '@gateway/contract';

const RULE = `gwk_ followed by 48 lowercase hexadecimal characters, at least ${LEAST_DISTINCT_DIGITS} of them different`;

const key: Variable = {
  name: 'ADMIN_API_KEY',
  form: RULE,
  fallback: null,
  effect: 'Key of the account admin, which the first start creates. The account gets no role.',
};

export const ADMINISTRATOR_VARIABLES: readonly Variable[] = [key];

/** The administrator's key, required at every start of the hosted build (refusals-22); null only after a fault. */
export function readAdministratorKey(reading: Reading): string | null {
  const text = reading.required(key);
  if (text === null) return null;
  // The value is never shown: one that is nearly right is nearly the key.
  if (!isAccountKey(text)) reading.fault(key, `is not an account key. It must be ${RULE}.`);
  else if (isWeakAccountKey(text)) reading.fault(key, `is too weak. It must be ${RULE}.`);
  return text;
}
