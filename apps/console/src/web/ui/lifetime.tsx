import { Select, type SelectProps } from '@mantine/core';
import type { AccountKey } from '../api/objects.ts';

export const NEVER = '';
const LIFETIMES: Readonly<Record<string, string>> = {
  [NEVER]: 'Never',
  7: 'After 7 days',
  30: 'After 30 days',
  90: 'After 90 days',
  365: 'After a year',
};

const DAY = 86_400_000;

/** The instant this many days from now; null for a key that does not expire. */
export const expiryAfter = (days: string | null, now = Date.now()): string | null =>
  days === null || days === NEVER ? null : new Date(now + Number(days) * DAY).toISOString();

/** Whether a key counts, and why not. */
export function stateOfKey(
  { revokedAt, expiresAt }: Pick<AccountKey, 'revokedAt' | 'expiresAt'>,
  now = Date.now(),
): 'in force' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'in force';
}

/** Until when a new key counts. */
export function Lifetime(props: Omit<SelectProps, 'data'>) {
  return (
    <Select
      label="Expires"
      w={150}
      allowDeselect={false}
      data={Object.entries(LIFETIMES)
        .map(([value, label]) => ({ value, label }))
        .toSorted((one, other) => Number(one.value) - Number(other.value))}
      {...props}
    />
  );
}
