import { legible } from '@gateway/contract/legible';
import { Alert, Button, Code, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import type { Provider, ProviderTest } from '../../api/objects.ts';
import { type ApiError, request } from '../../api/request.ts';
import { Fault } from '../../ui/fault.tsx';
import { Layer } from '../../ui/layer.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useDialog } from '../../ui/use-dialog.ts';

/** No gateway takes a request after a minute. */
const WAIT_MILLISECONDS = 75_000;

/** Requests a test from a gateway, and shows its result. */
export function TestConnection({ provider }: { provider: Provider }) {
  const { opened, made, open, close } = useDialog();
  const asking = useChange<ProviderTest>();
  const begin = () => {
    open();
    asking.mutate({ method: 'POST', path: `/api/providers/${provider.id}/test` });
  };
  return (
    <>
      <Button size="compact-sm" variant="subtle" aria-label={`Test connection to ${provider.name}`} onClick={begin}>
        Test
      </Button>
      {made && (
        <Layer opened={opened} close={close} title={`Connection to ${provider.name}`}>
          <Stack>
            <Fault error={asking.error} />
            {asking.isPending && <Waiting />}
            {asking.data !== undefined && <Found id={asking.data.id} />}
          </Stack>
        </Layer>
      )}
    </>
  );
}

const Waiting = () => (
  <Group role="status" gap="sm">
    <Loader size="sm" />
    <Text size="sm">A gateway tests the connection, because only the gateway has the key and the network.</Text>
  </Group>
);

function Found({ id }: { id: string }) {
  const { data, error } = useQuery<ProviderTest, ApiError>({
    queryKey: ['provider test', id],
    queryFn: ({ signal }) => request('GET', `/api/provider-tests/${id}`, undefined, signal),
    refetchInterval: ({ state }) => (state.data?.finishedAt == null ? 1000 : false),
  });
  if (error !== null) return <Fault error={error} />;
  if (data === undefined) return <Waiting />;
  if (data.finishedAt === null)
    return Date.now() - Date.parse(data.requestedAt) < WAIT_MILLISECONDS ? (
      <Waiting />
    ) : (
      <Alert color="red" variant="light" role="alert" title="No gateway ran the test">
        <Text size="sm">Check that a gateway of this version runs and reaches this database.</Text>
      </Alert>
    );
  const { status, fault, models } = data;
  const isGood = status !== null && status < 400;
  return (
    <Alert color={isGood ? 'teal' : 'red'} variant="light" role="status" title={titleOf(status)}>
      <Stack gap="xs" align="flex-start">
        <StatusBadge status={status} />
        {fault !== null && <Text size="sm">{legible(fault)}</Text>}
        {isGood && (
          <Text size="sm">
            {models === null || models.length === 0
              ? 'It named no models: not every engine answers at /v1/models.'
              : 'Models that it serves, by the slug to declare:'}
          </Text>
        )}
        {models?.map((model) => (
          <Code key={model}>{legible(model)}</Code>
        ))}
      </Stack>
    </Alert>
  );
}

function titleOf(status: number | null): string {
  if (status === null) return 'The engine was not reached';
  if (status < 400) return 'The engine answers';
  return status === 401 || status === 403 ? 'The engine refuses the key' : 'The engine answers with an error';
}
