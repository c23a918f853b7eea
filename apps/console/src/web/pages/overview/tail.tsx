import { legible } from '@gateway/contract/legible';
import { Anchor, Group, Switch, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Decision } from '../../api/objects.ts';
import { isRefusal } from '../../api/queries.ts';
import { type ApiError, request } from '../../api/request.ts';
import { Outcome } from '../../ui/outcome.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';

const EVERY_MILLISECONDS = 3000;

/** The newest decisions, refreshed periodically, for readers of the log. */
export function Tail() {
  const [isLive, setIsLive] = useState(true);
  const { data } = useQuery<{ decisions: readonly Decision[] }, ApiError>({
    queryKey: ['live tail'],
    queryFn: ({ signal }) => request('GET', '/api/audit/decisions?limit=10', undefined, signal),
    // It goes on after a failure, but a reader who is refused is not asked for again.
    refetchInterval: ({ state: { error } }) => (isLive && !isRefusal(error) ? EVERY_MILLISECONDS : false),
    retry: false,
  });
  if (data === undefined) return null;
  return (
    <Section
      title="Latest decisions"
      actions={
        <Group gap="md">
          <Switch label="Live" checked={isLive} onChange={(event) => setIsLive(event.currentTarget.checked)} />
          <Anchor size="sm" href="#audit/decisions">
            All decisions
          </Anchor>
        </Group>
      }
    >
      {data.decisions.length === 0 && <Text size="sm">No decision yet.</Text>}
      {data.decisions.length > 0 && (
        <Table.ScrollContainer
          minWidth={560}
          scrollAreaProps={{ viewportProps: { role: 'group', 'aria-label': 'Latest decisions', tabIndex: 0 } }}
        >
          <Table aria-label="Latest decisions" verticalSpacing={4}>
            <Table.Tbody>
              {data.decisions.map(({ sequence, at, subject, resource, outcome, reason }) => (
                <Table.Tr key={sequence}>
                  <Table.Td>
                    <Time at={at} />
                  </Table.Td>
                  {/* Before the names, which may be long: on a phone it would be out of sight. */}
                  <Table.Td>
                    <Outcome of={outcome} />
                  </Table.Td>
                  <Table.Td>
                    <Anchor size="sm" href={`#audit/decisions?sequence=${sequence}`}>
                      {legible(subject ?? 'nobody')}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>{legible(resource)}</Table.Td>
                  <Table.Td>{reason === 'role' ? '' : reason}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}
