import { Select, type SelectProps, Text } from '@mantine/core';
import type { AccountKey } from '../api/objects.ts';

const SHORT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** An instant in UTC as people read it. */
export const inWords = (at: Date): string => SHORT.format(at);

/** An instant in UTC, as every log of the product has it; the exact one is in the title. */
export function Time({ at }: { at: string | null }) {
  if (at === null)
    return (
      <Text size="sm" c="dimmed">
        –
      </Text>
    );
  return (
    <Text size="sm" component="time" dateTime={at} title={at} style={{ whiteSpace: 'nowrap' }}>
      {inWords(new Date(at))}
    </Text>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** The day of an instant (UTC), where the hour would take the room of another column; the exact instant is in the title. */
export function Day({ at }: { at: string | null }) {
  if (at === null) return <Time at={null} />;
  return (
    <Text size="sm" component="time" dateTime={at} title={at} style={{ whiteSpace: 'nowrap' }}>
      {DAY.format(new Date(at))}
    </Text>
  );
}

export const NEVER = '';
const LIFETIMES: Readonly<Record<string, string>> = {
  [NEVER]: 'Never',
  7: 'After 7 days',
  30: 'After 30 days',
  90: 'After 90 days',
  365: 'After a year',
};

const LIFETIME_DAY = 86_400_000;

/** The instant this many days from now; null for a key that does not expire. */
export const expiryAfter = (days: string | null, now = Date.now()): string | null =>
  days === null || days === NEVER ? null : new Date(now + Number(days) * LIFETIME_DAY).toISOString();

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
