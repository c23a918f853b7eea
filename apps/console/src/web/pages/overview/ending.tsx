import { Anchor, Paper, Text } from '@mantine/core';
import { count } from '../../ui/numbers.ts';
import { useGatewayUrl } from '../endpoints/snippets.tsx';

const DAY_MILLISECONDS = 86_400_000;
/** Days before the end from which a warning is shown. */
const SOON_DAYS = 30;
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** A day in UTC as people read it. */
export const dayOf = (at: string): string => DAY.format(new Date(at));

/** When a license or a certificate ends, where the gateways report one. It links to the page on how to renew it. */
export function Ending({ label, at, manual }: { label: string; at: string | null; manual: string }) {
  const { url } = useGatewayUrl();
  if (at === null) return null;
  const days = Math.floor((Date.parse(at) - Date.now()) / DAY_MILLISECONDS);
  const note = days < 0 ? 'renew it now' : days === 1 ? '1 day left' : `${count(days)} days left`;
  return (
    <Paper withBorder p={{ base: 'sm', xs: 'md' }} role="group" aria-label={label}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Anchor
        href={`${url}/v/${manual}`}
        target="_blank"
        rel="noreferrer"
        title="How to renew: manual, in a new tab"
        fz={{ base: 'md', xs: 'lg' }}
        fw={650}
      >
        {days < 0 ? 'expired' : dayOf(at)}
      </Anchor>
      <Text size="xs" {...(days < SOON_DAYS ? { c: 'var(--mantine-color-error)', fw: 600 } : { c: 'dimmed' })}>
        {note}
      </Text>
    </Paper>
  );
}
