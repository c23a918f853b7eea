import { Anchor, Group, List, Text } from '@mantine/core';
import type { ProviderHealth } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { inWords } from '../../ui/time.tsx';

const MOST = 8;

/** The providers by name with their last answer, those with failures of the last hour first. */
export function Engines() {
  const { data } = useRead<{ health: readonly ProviderHealth[] }>('/api/providers/health');
  const called = data?.health.filter(({ last }) => last !== null) ?? [];
  if (called.length === 0) return null;
  const shown = called.toSorted((one, other) => other.failedLastHour - one.failedLastHour).slice(0, MOST);
  return (
    <Section
      title="Engines"
      about="The last answer of each provider, and its failed calls of the last hour."
      actions={
        <Anchor size="sm" href="#endpoints">
          {called.length > MOST ? `All ${count(called.length)} providers` : 'Providers'}
        </Anchor>
      }
    >
      <List listStyleType="none" spacing="xs" size="sm">
        {shown.map(({ provider, last, callsLastHour, failedLastHour }) => (
          <List.Item key={provider}>
            <Group gap="sm" wrap="wrap">
              <Text size="sm" fw={500} w={160} truncate title={provider}>
                {provider}
              </Text>
              {last !== null && <StatusBadge status={last.status} />}
              <Text size="sm" c={failedLastHour > 0 ? 'red' : 'dimmed'}>
                {callsLastHour === 0 ? 'no call' : `${count(failedLastHour)} of ${count(callsLastHour)} failed`}
              </Text>
              {last !== null && (
                <Text size="xs" c="dimmed">
                  last answer {inWords(new Date(last.at))}
                </Text>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
