import { Text } from '@mantine/core';

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
