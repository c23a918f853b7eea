import { legible } from '@gateway/contract/legible';
import { Alert, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ChangeCall, useChange } from '../../api/change.ts';
import type { ProviderTest } from '../../api/objects.ts';
import { type ApiError, request } from '../../api/request.ts';
import { Fault } from '../../ui/fault.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** No gateway takes a request after a minute. */
const WAIT_MILLISECONDS = 75_000;

/** A test that a gateway makes: not asked for, under way, not taken by any gateway, or finished. */
export interface ConnectionTest {
  readonly state: 'none' | 'waiting' | 'late' | 'finished';
  readonly found: ProviderTest | undefined;
  readonly error: ApiError | null;
  /** The request that asks for it. */
  readonly ask: (change: ChangeCall) => void;
}

/** Asks a gateway to test a connection, and reads the result until there is one. */
export function useConnectionTest(): ConnectionTest {
  const asking = useChange<ProviderTest>();
  const id = asking.data?.id ?? null;
  // Read at each answer: whether one is late depends on the time alone.
  const { data, error, dataUpdatedAt } = useQuery<ProviderTest, ApiError>({
    queryKey: ['provider test', id],
    enabled: id !== null,
    queryFn: ({ signal }) => request('GET', `/api/provider-tests/${id}`, undefined, signal),
    refetchInterval: ({ state }) => (state.data?.finishedAt == null ? 1000 : false),
  });
  const fault = asking.error ?? error;
  const state = (): ConnectionTest['state'] => {
    if (fault !== null || (id === null && !asking.isPending)) return 'none';
    if (asking.isPending || data === undefined) return 'waiting';
    if (data.finishedAt !== null) return 'finished';
    return dataUpdatedAt - Date.parse(data.requestedAt) < WAIT_MILLISECONDS ? 'waiting' : 'late';
  };
  const now = state();
  return { state: now, found: now === 'finished' ? data : undefined, error: fault, ask: asking.mutate };
}

/** Whether the engine answered without an error. */
export const isGood = ({ status }: ProviderTest): boolean => status !== null && status < 400;

/** A test that is under way, or what it found. @param lists whether the models are shown */
export function TestState({ test, lists = true }: { test: ConnectionTest; lists?: boolean }) {
  const { state, found, error } = test;
  if (error !== null) return <Fault error={error} />;
  if (state === 'waiting')
    return (
      <Group role="status" gap="sm" wrap="nowrap">
        <Loader size="sm" />
        <Text size="sm">A gateway tests the connection, because only the gateway has the key and the network.</Text>
      </Group>
    );
  if (state === 'late')
    return (
      <Alert color="red" variant="light" role="alert" title="No gateway ran the test">
        <Text size="sm">Check that a gateway of this version runs and reaches this database.</Text>
      </Alert>
    );
  if (found === undefined) return null;
  const { status, fault, models } = found;
  return (
    <Alert color={isGood(found) ? 'teal' : 'red'} variant="light" role="status" title={titleOf(status)}>
      <Stack gap="xs" align="flex-start">
        <StatusBadge status={status} />
        {fault !== null && <Text size="sm">{legible(fault)}</Text>}
        {isGood(found) && (models === null || models.length === 0) && (
          <Text size="sm">It named no models: not every engine answers at /v1/models.</Text>
        )}
        {lists && models !== null && models.length > 0 && (
          <>
            {isGood(found) && <Text size="sm">Models that it serves, by the slug to declare:</Text>}
            {models.map((model) => (
              <Code key={model}>{legible(model)}</Code>
            ))}
          </>
        )}
      </Stack>
    </Alert>
  );
}

function titleOf(status: number | null): string {
  if (status === null) return 'The engine was not reached';
  if (status < 400) return 'The engine answers';
  return status === 401 || status === 403 ? 'The engine refuses the key' : 'The engine answers with an error';
}
