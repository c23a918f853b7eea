import { legible } from '@gateway/contract/legible';
import { Group, Skeleton, Text } from '@mantine/core';
import type { Decision, EngineResult } from '../../api/objects.ts';
import { useRead } from '../../api/read.ts';
import { Fault } from '../../ui/fault.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** How the engine answered the call, which the decision's own status does not say. */
export function Upstream({ decision }: { decision: Decision }) {
  const isCall = decision.outcome === 'granted' && decision.permission === 'inference:appeler';
  const read = useRead<{ upstream: EngineResult | null }>(
    isCall ? `/api/audit/decisions/${decision.id}/upstream` : null,
  );
  if (!isCall) return null;
  if (read.isPending)
    return <Skeleton height={24} mb="md" aria-busy="true" role="status" aria-label="Engine: loading" />;
  const found = read.data?.upstream ?? null;
  return (
    <Group gap="xs" mb="md" role="group" aria-label="Answer of the engine">
      <Fault error={read.error} retry={read.refetch} />
      <Text size="sm" fw={600}>
        Answer of the engine
      </Text>
      {read.isSuccess && found === null && (
        <Text size="sm">unknown: the call is running, its caller disconnected, or it is older than this record</Text>
      )}
      {found !== null && (
        <>
          <StatusBadge status={found.status} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {legible([found.provider, found.fault].filter((part) => part !== null).join(': '))}
          </Text>
        </>
      )}
      <Text size="xs" c="dimmed" w="100%">
        The status below is the decision's own: whether the call was let through.
      </Text>
    </Group>
  );
}
