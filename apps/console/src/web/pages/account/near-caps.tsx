import { Anchor, Group, Progress, Stack, Text } from '@mantine/core';
import type { SpendingCap } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { count } from '../../ui/numbers.ts';
import { amount } from '../../ui/prices.ts';
import { Section } from '../../ui/section.tsx';

/** From this part of a cap on, somebody is near it. */
const NEAR = 0.8;

/** Who has spent most of the cap of the month. Only the shared pair reads it. */
export function NearCaps() {
  const { data } = useRead<{ spendingCaps: readonly SpendingCap[] }>('/api/spending-caps?limit=5');
  if (data === undefined) return null;
  const near = data.spendingCaps.filter(({ share }) => share !== null && share >= NEAR);
  return (
    <Section title="Near a cap" about="Accounts that have spent 80 % or more of this month's cap.">
      {near.length === 0 ? (
        <Text size="sm">
          Nobody is near a cap.{' '}
          <Anchor href="#caps" inherit underline="always">
            All caps
          </Anchor>
        </Text>
      ) : (
        <Stack gap="xs">
          {near.map(({ id, username, share, spent, monthlyCap }) => (
            <Group key={id} gap="sm" wrap="wrap">
              <Anchor size="sm" fw={500} w={160} href={`#users?${new URLSearchParams({ search: username })}`}>
                {username}
              </Anchor>
              <Progress
                value={Math.min(share ?? 0, 1) * 100}
                color={(share ?? 0) >= 1 ? 'red' : 'yellow'}
                w={160}
                aria-label={`${username} has spent ${count(Math.floor((share ?? 0) * 100))} % of the cap`}
              />
              <Text size="sm" c="dimmed">
                {amount(spent)} of {amount(monthlyCap ?? 0)}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
    </Section>
  );
}
