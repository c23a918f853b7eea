import { legible } from '@gateway/contract/legible';
import { Stack, Text } from '@mantine/core';
import type { ProviderHealth } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { count } from '../../ui/numbers.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { inWords } from '../../ui/time.tsx';

/** How every provider does, by its slug. */
export function useHealth(): ReadonlyMap<string, ProviderHealth> {
  const { data } = useRead<{ health: readonly ProviderHealth[] }>('/api/providers/health');
  return new Map(data?.health.map((one) => [one.provider, one]));
}

/** What a provider answered last, and what failed in the last hour. */
export function Health({ of }: { of: ProviderHealth | undefined }) {
  if (of?.last == null)
    return (
      <Text size="xs" c="dimmed">
        no call yet
      </Text>
    );
  const { last, lastFailure, failedLastHour, callsLastHour } = of;
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge status={last.status} />
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {inWords(new Date(last.at))}
      </Text>
      <Text size="xs" c={failedLastHour > 0 ? 'red' : 'dimmed'} style={{ whiteSpace: 'nowrap' }}>
        {count(failedLastHour)} of {count(callsLastHour)} failed in the last hour
      </Text>
      {lastFailure?.fault != null && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {legible(lastFailure.fault)}
        </Text>
      )}
    </Stack>
  );
}
