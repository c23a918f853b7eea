const FORMAT = /^gwk_[0-9a-f]{48}$/;

/** Whether a text has the form of an account key: `gwk_` and 48 lowercase hexadecimal characters (roles-2). */
export function isAccountKey(text: string): boolean {
  return FORMAT.test(text);
}

/** The fewest distinct hexadecimal digits of a key that an operator chose (refusals-22). */
export const LEAST_DISTINCT_DIGITS = 10;

/** Whether a text is no key, or one too easily guessed to open an administrator's account (refusals-22). */
export function isWeakAccountKey(key: string): boolean {
  return !isAccountKey(key) || new Set(key.slice('gwk_'.length)).size < LEAST_DISTINCT_DIGITS;
}
