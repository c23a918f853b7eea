import { Group, Table, Text } from '@mantine/core';
import { type Filters, listPath } from '../../api/list.ts';
import type { EngineErrors } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { Fault } from '../../ui/fault.tsx';
import { count } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

const share = (failed: number, calls: number): string =>
  failed === 0 ? '0 %' : failed / calls < 0.01 ? '< 1 %' : `${count(Math.round((failed / calls) * 100))} %`;

/** How often the engines failed, by endpoint and provider. Of one person, only the failed calls are known. */
export function Engines({ filters }: { filters: Filters }) {
  const read = useRead<{ engines: readonly EngineErrors[] }>(listPath('/api/engine-results', filters));
  const engines = read.data?.engines ?? [];
  return (
    <Section
      title="Engine errors"
      about="Granted calls that failed at the engine: no answer, an answer that broke off, or a status of 400 or above."
      reading={read}
    >
      <Fault error={read.error} retry={read.refetch} />
      {read.isSuccess && engines.length === 0 && (
        <Text size="sm">No answer of an engine is recorded for this period.</Text>
      )}
      {engines.length > 0 && (
        <Table.ScrollContainer
          minWidth={560}
          scrollAreaProps={{ viewportProps: { role: 'group', 'aria-label': 'Engine errors', tabIndex: 0 } }}
        >
          <Table aria-label="Engine errors" verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Endpoint</Table.Th>
                <Table.Th>Provider</Table.Th>
                <Table.Th ta="right">Calls</Table.Th>
                <Table.Th ta="right">Failed</Table.Th>
                <Table.Th ta="right">Error rate</Table.Th>
                <Table.Th>Answers</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {engines.map(({ endpoint, provider, calls, failed, statuses }) => (
                <Table.Tr key={`${endpoint} ${provider}`}>
                  <Table.Td>/{endpoint}</Table.Td>
                  <Table.Td>{provider}</Table.Td>
                  <Table.Td ta="right">{count(calls)}</Table.Td>
                  <Table.Td ta="right">{count(failed)}</Table.Td>
                  <Table.Td ta="right">{share(failed, calls)}</Table.Td>
                  <Table.Td>
                    <Group gap={6}>
                      {statuses.map((one) => (
                        <Group gap={4} key={String(one.status)} wrap="nowrap">
                          <StatusBadge status={one.status} />
                          <Text size="xs">× {count(one.calls)}</Text>
                        </Group>
                      ))}
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}
